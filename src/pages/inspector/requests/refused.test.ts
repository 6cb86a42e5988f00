import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

it('the list of requests shows those that were refused, with what is wrong with each', async () => {
  const { http } = createTestClient();
  const page = async () =>
    (await http.get('/_emulator/ui/requests')).text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  expect(await page()).not.toContain('refused request');
  await http.get('/customers').set('Authorization', 'Bearer Key_Test_Emulator');
  await http.get('/customer').set('Authorization', 'Bearer key_test_emulator');
  const text = await page();

  expect(text).toContain('2 refused requests, of any world');
  expect(text).toMatch(/GET \/customer There is no such path\. The nearest is \/customers\./);
  expect(text).toMatch(/GET \/customers [^/]*capital letters/);
});
