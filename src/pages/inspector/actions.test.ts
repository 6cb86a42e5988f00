import { expect, it } from 'vitest';
import { asNewAccount, createTestClient, type TestClient } from '../../testing/client.ts';

const post = (client: TestClient, path: string, body: object, key = 'key_test_emulator') =>
  client.http.post(`/_emulator/ui${path}?key=${key}`).type('form').send(body);

const names = async (client: TestClient): Promise<string[]> =>
  (await client.api('listSandboxes')).items.map(({ name }: { name: string }) => name);

/** A world with a customer. */
async function aWorld(): Promise<TestClient> {
  const client = createTestClient();
  await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  return client;
}

/** What a form that is refused leaves as it was. */
const stateOf = async (client: TestClient) => ({
  customers: (await client.api('listCustomers')).total_count,
  rules: (await client.api('listFaults')).rules,
  worlds: await names(client),
});

const UNCHANGED = { customers: 1, rules: [], worlds: ['emulator'] };

it.each([
  ['/faults/add', {}, 'Choose what happens.'],
  ['/faults/add', { effect: 'explode' }, 'Choose what happens.'],
  ['/faults/add', { effect: 'Webhook lost', times: 'many' }, 'Expected'],
  ['/faults/add', { effect: 'Webhook lost', customer: 'acme' }, 'Rules match requests by'],
  ['/faults/add', { effect: '404 Not found', operation: 'explode' }, 'There is no operation'],
  ['/time/advance', { to: '' }, 'Enter the time to advance to'],
  ['/time/advance', { to: 'tomorrow' }, 'name="to" value="tomorrow"'],
  ['/time/snapshots', { name: 'No such name' }, 'role="alert"'],
  ['/time/snapshots/none/restore', {}, 'role="alert"'],
  ['/time/snapshots/none/delete', {}, 'role="alert"'],
  ['/time/reset', { to: 'fixture', name: '../../etc/passwd' }, 'role="alert"'],
  ['/time/reset', { to: 'snapshot' }, 'role="alert"'],
  ['/time/reset', { to: 'elsewhere' }, 'role="alert"'],
  ['/worlds', { name: 'Shop' }, 'role="alert"'],
  ['/worlds', { name: 'emulator' }, 'role="alert"'],
  ['/worlds', { name: 'shop', fixture: 'none' }, 'role="alert"'],
  ['/worlds', {}, 'role="alert"'],
  ['/worlds/close', { name: 'none' }, 'role="alert"'],
])(
  'the form %s rejects %j with 422 and the reason, and changes nothing',
  async (path, body, why) => {
    const client = await aWorld();

    const { status, text } = await post(client, path, body);

    expect([status, text.includes(why)]).toEqual([422, true]);
    expect(await stateOf(client)).toEqual(UNCHANGED);
  },
);

it.each([
  ['import', ''],
  ['import', '{}'],
  ['import', 'no json'],
  ['fixture', ''],
  ['fixture', 'steps: ['],
  ['fixture', 'steps: [{ call: nothing }]'],
])('a file that cannot be read is rejected, and changes nothing: %s %j', async (action, file) => {
  const client = await aWorld();

  const upload = client.http.post(`/_emulator/ui/time/${action}`);
  const { status, text } = await upload.attach('file', Buffer.from(file), 'own.json');

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await stateOf(client)).toEqual(UNCHANGED);
});

it('a world is created from a fixture, closed and brought back by its key', async () => {
  const client = createTestClient();

  const created = await post(client, '/worlds', { name: 'shop', fixture: 'quickstart' });
  expect(created.headers['location']).toBe('/_emulator/ui?key=key_test_shop');
  const { total_count } = await client.api('listCustomers', { key: 'key_test_shop' });
  expect(total_count).toBe(2);

  const close = { name: 'shop' };
  const closed = await post(client, '/worlds/close', close, 'key_test_shop');
  expect(closed.headers['location']).toBe('/_emulator/ui?closed=key_test_shop');
  expect(await names(client)).toEqual(['emulator']);

  const { text } = await client.http.get(closed.headers['location'] ?? '');
  expect(text).toContain('The world shop is closed.');
  expect(text).toContain('Undo <span class="hidden"><bdi dir="ltr">the closing of shop</bdi>');
  await post(client, '/time/undo', {}, 'key_test_shop');
  const brought = await client.api('listCustomers', { key: 'key_test_shop' });
  expect(brought.total_count).toBe(2);
});

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

it('a form opened from a customer of a connected account acts for that account', async () => {
  const client = createTestClient();
  const headers = await asNewAccount(client.api);
  const { id } = await client.api('createCustomer', { headers, body: { name: 'Acme' } }, 201);
  const { text } = await client.http.get(`/_emulator/ui/customers/${id}`);
  const [, link = ''] = /href="([^"]*operation=updateCustomer[^"]*)"/.exec(text) ?? [];
  const form = (await client.http.get(link.replaceAll('&amp;', '&'))).text;
  const [, action = ''] = /action="([^"]*\/send\?[^"]*)"/.exec(form) ?? [];

  await client.http
    .post(action.replaceAll('&amp;', '&'))
    .type('form')
    .send({ 'path.customerId': id, 'body.name': 'Renamed' });

  const path = { customerId: id };
  expect((await client.api('getCustomer', { headers, path })).name).toBe('Renamed');
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
