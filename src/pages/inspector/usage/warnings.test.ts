import { expect, it } from 'vitest';
import { anEvent } from '../../../testing/catalog.ts';
import { createTestClient } from '../../../testing/client.ts';

it('usage with a warning is found by its kind and customer, and on the overview', async () => {
  const client = createTestClient();
  for (const name of ['Acme', 'Globex']) {
    const { id } = await client.api('createCustomer', { body: { name } }, 201);
    await client.api('submitEvents', { body: { customer_id: id, events: [anEvent()] } }, 204);
  }

  const { text } = await client.http.get('/_emulator/ui/events?q=warning:* customer:globex');

  const [, table = ''] = /<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
  expect(table).toContain('Globex');
  expect(table).not.toContain('Acme');
  const overview = await client.http.get('/_emulator/ui');
  expect(overview.text).toMatch(/2 warnings: [a-z ]+<.*Of Globex, Acme; latest: /s);
});

it('a warning about a webhook destination leads to the webhooks', async () => {
  const client = createTestClient();
  const body = { url: 'http://127.0.0.1:9/hook', topics: ['no.such.topic'] };
  await client.api('createWebhook', { body }, 201);

  const { text } = await client.http.get('/_emulator/ui');

  expect(text).toContain('<a href="/_emulator/ui/webhooks">1 warning: unknown topic</a>');
  expect(text).toMatch(/Destination <a [^>]*>http:\/\/127\.0\.0\.1:9\/hook<\/a> subscribes/);
});
