import { expect, it } from 'vitest';
import { createTestClient } from '../../../testing/client.ts';

/** The names of a form's fields for a body, and the text of the field for all of it. */
async function formOf(sent: string) {
  const client = createTestClient();
  await client.http
    .post('/customers')
    .set({ Authorization: 'Bearer key_test_emulator', 'Content-Type': 'application/json' })
    .send(sent);
  const { text } = await client.http.get('/_emulator/ui/send').query({ again: '1' });
  const [, body = ''] = /<textarea name="body"[^>]*>(.*?)<\/textarea>/s.exec(text) ?? [];
  const names = [...text.matchAll(/name="body\.(\w+)"/g)].map(([, name]) => name);
  return { names, body: body.replaceAll('&quot;', '"').replaceAll('&lt;', '<') };
}

it.each([
  ['{"name": "Acme", "unknown": 1.000000000000000001}', '1.000000000000000001'],
  ['{"name": 7}', '7'],
  ['{"name": "<Acme>', '{"name": "<Acme>'],
])('the body of an earlier request is edited as it was sent: %s', async (sent, kept) => {
  const { names, body } = await formOf(sent);

  expect(names).toEqual([]);
  expect(body).toContain(kept);
});

it('a form that is filled in as far as required works in an empty world', async () => {
  const client = createTestClient();
  const query = { operation: 'createCustomer', fill: 'required' };
  const { text } = await client.http.get('/_emulator/ui/send').query(query);
  const filled = [...text.matchAll(/name="(body\.\w+)"[^>]*value="([^"]+)"/g)];
  const fields = Object.fromEntries(filled.map(([, name, value]) => [name, value]));

  const { headers } = await client.http
    .post('/_emulator/ui/send')
    .query({ operation: 'createCustomer' })
    .type('form')
    .send(fields);

  expect(Object.keys(fields)).toEqual(['body.name']);
  expect((await client.http.get(String(headers['location']))).text).toContain('201');
});

it.each([
  ['time/advance', 'To (UTC)', { to: 'tomorrow' }],
  ['faults/add', 'Requests', { effect: 'explode' }],
  ['populate', 'Overview', { customers: 'many' }],
  ['send?operation=createCustomer', 'Create a customer', { 'body.metadata': '{' }],
])('each link of the page that a refused %s shows leads to a page', async (path, title, body) => {
  const { http } = createTestClient();
  const { status, text } = await http.post(`/_emulator/ui/${path}`).type('form').send(body);
  const links = [...text.matchAll(/<a [^>]*href="(\/_emulator\/ui[^"#]*)/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

  expect([status, text.includes(title)]).toEqual([422, true]);
  for (const link of new Set(links))
    expect([link, (await http.get(link)).status]).toEqual([link, 200]);
});
