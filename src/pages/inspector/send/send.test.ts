import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const UI = '/_emulator/ui';

/** The body that a form starts with, as text. */
async function bodyOf(client: TestClient, query: Readonly<Record<string, string>>) {
  const { text } = await client.http.get(`${UI}/send`).query(query);
  const [, body = ''] = /<textarea[^>]*>(.*?)<\/textarea>/s.exec(text) ?? [];
  return body.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

it('a form starts with the fields of its link, and names a customer once', async () => {
  const client = createTestClient();

  const body = await bodyOf(client, { operation: 'submitEvents', customer_id: 'cust_a' });

  expect(JSON.parse(body)).toMatchObject({ customer_id: 'cust_a', events: [{}] });
  expect(body).not.toContain('customer_external_id');
});

it.each([
  ['{"name": 7, "unknown": 1.000000000000000001}', { name: 7 }, '1.000000000000000001'],
  ['{"name": "<Acme>', undefined, '{"name": "<Acme>'],
])('a request is edited as it was sent: %s', async (sent, parsed, kept) => {
  const client = createTestClient();
  await client.http
    .post('/customers')
    .set({ Authorization: 'Bearer key_test_emulator', 'Content-Type': 'application/json' })
    .send(sent);

  const body = await bodyOf(client, { again: '1' });

  if (parsed) expect(JSON.parse(body)).toMatchObject(parsed);
  expect(body).toContain(kept);
});

it('a top-up from the page of a customer leads to its payment, and back', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const { text } = await client.http.get(`${UI}/customers/${id}`);
  const [, form = ''] = /href="([^"]*operation=createTopUp[^"]*)"/.exec(text) ?? [];
  const query = new URL(form.replaceAll('&amp;', '&'), 'http://127.0.0.1').searchParams;

  const body = await bodyOf(client, Object.fromEntries(query));
  const { headers } = await client.http.post(form).type('form').send({ body });

  expect(JSON.parse(body).return_url).toMatch(new RegExp(`/customers/${id}$`));
  const sent = await client.http.get(String(headers['location']));
  expect(sent.text).toMatch(/<a href="\/hosted\/checkout\/[^"]*">Pay now<\/a>/);
});
