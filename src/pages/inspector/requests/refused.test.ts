import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

it('the list of requests shows those that were refused, with what is wrong with each', async () => {
  const { http, api } = createTestClient();
  const page = async (key = '') =>
    (await http.get('/_emulator/ui/requests').query({ key })).text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  expect(await page()).not.toContain('refused request');
  await http.get('/customers').set('Authorization', 'Bearer Key_Test_Emulator');
  await http.get('/customer').set('Authorization', 'Bearer key_test_emulator');
  const text = await page();

  expect(text).toContain('2 refused requests, also those whose key is of no world');
  expect(text).toMatch(/GET \/customer There is no such path\. The nearest is \/customers\./);
  expect(text).toMatch(/GET \/customers [^/]*capital letters/);
  // The request to no path had the key of another world; the other one may be meant for this one, until it has requests.
  expect(await page('key_test_mine')).toContain('1 refused request, also those');
  await api('listCustomers', { key: 'key_test_mine' }, 200);
  expect(await page('key_test_mine')).not.toContain('refused request');
});
