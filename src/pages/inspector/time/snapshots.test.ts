import { beforeAll, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object = {}) =>
  client.http.post(`/_emulator/ui${path}`).type('form').send(body);

const customers = async (client: TestClient): Promise<number> =>
  (await client.api('listCustomers', {}, 200)).total_count;

const create = (client: TestClient) =>
  client.api('createCustomer', { body: { name: 'Acme' } }, 201);

it('a snapshot is saved, restored and deleted', async () => {
  const client = createTestClient();
  await create(client);
  expect((await post(client, '/time/snapshots', { name: 'one' })).headers['location']).toContain(
    'done=saved',
  );
  await create(client);

  await post(client, '/time/snapshots/one/restore');
  expect(await customers(client)).toBe(1);

  const { headers } = await post(client, '/time/snapshots/one/delete');
  const { text } = await client.http.get(String(headers['location']));
  expect(text).toContain('No snapshots yet.');
});

it('only the requests in the log are counted, so none after a restore', async () => {
  const client = createTestClient();
  await create(client);
  await post(client, '/time/snapshots', { name: 'one' });
  const counts = async () => {
    const { text } = await client.http.get('/_emulator/ui/requests');
    return /Requests<small[^>]*>(\d+)</.exec(text)?.[1];
  };
  expect(await counts()).toBe('1');

  await post(client, '/time/snapshots/one/restore');

  expect(await counts()).toBeUndefined();
});

it.each([
  [{}, 0],
  [{ to: 'empty' }, 0],
  [{ to: 'fixture', name: 'quickstart' }, 2],
])('a world is reset by the form %j', async (body, expected) => {
  const client = createTestClient();
  await create(client);

  expect((await post(client, '/time/reset', { ...body })).status).toBe(303);

  expect(await customers(client)).toBe(expected);
});

it('a world is downloaded, and replaces another world', async () => {
  const client = createTestClient();
  await create(client);
  const file = await client.http.get('/_emulator/ui/world.json');
  expect(file.headers['content-disposition']).toBe('attachment; filename=emulator.json');

  const upload = client.http.post('/_emulator/ui/time/import?key=key_test_other');
  const { status } = await upload.attach('file', Buffer.from(file.text), 'world.json');

  expect(status).toBe(303);
  expect((await client.api('listCustomers', { key: 'key_test_other' }, 200)).total_count).toBe(1);
});

it.each([[Buffer.from('{}')], [Buffer.alloc(0)], [Buffer.from('no json')]])(
  'a file that is no world is rejected, and changes nothing',
  async (file) => {
    const client = createTestClient();
    await create(client);

    const upload = client.http.post('/_emulator/ui/time/import').attach('file', file, 'world.json');
    const { status, text } = await upload;

    expect([status, text.includes('role="alert"')]).toEqual([422, true]);
    expect(await customers(client)).toBe(1);
  },
);

const playing = (client: TestClient, text: string) =>
  client.http.post('/_emulator/ui/time/fixture').attach('file', Buffer.from(text), 'own.yaml');

it('a fixture file replaces the world, and can be undone', async () => {
  const client = createTestClient();
  await create(client);
  const step = 'call: createCustomer, body: { name: Hooli, external_id: ';
  const text = `about: Two.\nteaches: Files.\nsteps: [{ ${step}one } }, { ${step}two } }]`;

  expect((await playing(client, text)).headers['location']).toContain('done=replaced');

  expect(await customers(client)).toBe(2);
  await post(client, '/time/undo');
  expect(await customers(client)).toBe(1);
});

it.each(['', 'steps: [', 'steps: [{ call: nothing }]'])(
  'a fixture file that cannot be read is rejected, and changes nothing: %j',
  async (text) => {
    const client = createTestClient();
    await create(client);

    const answer = await playing(client, text);

    expect([answer.status, answer.text.includes('role="alert"')]).toEqual([422, true]);
    expect(await customers(client)).toBe(1);
  },
);

it('the overview takes snapshots under free names, each of which can be undone', async () => {
  const client = createTestClient();
  await post(client, '/time/snapshots', { name: 'snapshot-1' });
  const names = async () => {
    const { items } = await client.control('listSnapshots', {}, 200);
    return items.map((item: { readonly name: string }) => item.name);
  };

  const { headers } = await post(client, '/time/snapshots', { from: 'overview' });
  const { text } = await client.http.get(String(headers['location']));
  expect(await names()).toEqual(['snapshot-1', 'snapshot-2']);

  const [, undo = ''] =
    /action="\/_emulator\/ui([^"]*delete)"[^>]*><button[^>]*Undo/.exec(text) ?? [];
  await post(client, undo);
  expect([text.includes('Saved as snapshot-2.'), await names()]).toEqual([true, ['snapshot-1']]);
});

it('the overview says what a reset would take away, and leads back to the overview', async () => {
  const client = createTestClient();
  await create(client);

  const overview = await client.http.get('/_emulator/ui');
  expect(overview.text).toContain('<dt>Goes</dt><dd>1 customer</dd>');

  const { headers } = await post(client, '/time/reset', { from: 'overview' });
  const { text } = await client.http.get(String(headers['location']));
  expect(text).toMatch(/<h1>Overview<.*Done: reset\. −1 customer\./s);
});

it('a reset says what went, and can be undone, once', async () => {
  const client = createTestClient();
  await create(client);
  await create(client);

  const { headers } = await post(client, '/time/reset', { to: 'empty' });
  const { text } = await client.http.get(String(headers['location']));
  expect(text).toMatch(/class="toast".*Done: reset to empty\. −2 customers\./s);
  expect(text).toContain('aria-label="Undo the reset to empty"');
  expect(await customers(client)).toBe(0);

  await post(client, '/time/undo');
  expect(await customers(client)).toBe(2);
  expect((await post(client, '/time/undo')).status).toBe(422);
});

it.each([
  ['/time/snapshots', { name: 'No such name' }],
  ['/time/snapshots/none/restore', {}],
  ['/time/snapshots/none/delete', {}],
  ['/time/reset', { to: 'fixture', name: '../../etc/passwd' }],
  ['/time/reset', { to: 'fixture', name: 'none' }],
  ['/time/reset', { to: 'snapshot' }],
  ['/time/reset', { to: 'elsewhere' }],
])('the form %s rejects %j with 422 and the reason, and changes nothing', async (path, body) => {
  const client = createTestClient();
  await create(client);

  const { status, text } = await post(client, path, { ...body });

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await customers(client)).toBe(1);
});

let client: TestClient;
const save = (name: string) => client.control('saveSnapshot', { body: { name } }, 201);
const page = async (address: string) => {
  const { status, text } = await client.http.get(`/_emulator/ui/time${address}`);
  return { status, words: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), text };
};

beforeAll(async () => {
  client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  await save('before');
  const path = { customerId: id };
  await client.api('updateCustomer', { path, body: { name: 'Acme & Sons' } }, 204);
  await client.api('createCustomer', { body: { name: 'Globex' } }, 201);
  const body = { transaction_id: '00000000-0000-4000-8000-000000000001', asset: 'USD' };
  const gift = { ...body, amount: 12.5, reason: 'gift' };
  await client.api('adjustWallet', { path, body: gift }, 201);
});

it('the comparison of snapshots shows both sides of each difference', async () => {
  const { status, words } = await page('/compare?from=before');

  expect(status).toBe(200);
  for (const part of [
    'Requests between 3 Balances, USD $12.50 +$12.50 from $0.00 Customers 2 +1',
    '1 added, 1 changed',
    '2 of 2 customers differ',
    'Record Field From before To now Difference',
    '~ Acme &amp; Sons Name Acme Acme &amp; Sons',
    '+ Globex',
  ])
    expect(words).toContain(part);
});

it('the comparison of snapshots is exported: all that differs, from data', async () => {
  const file = (format: string) =>
    client.http.get(`/_emulator/ui/time/compare?from=before&format=${format}`);
  const { text: csv } = await file('csv');
  const { text: json } = await file('json');

  const [head, ...lines] = csv.trimEnd().split('\r\n');
  expect(head).toBe('change,table,id,name,field,before,after');
  expect(lines).toContainEqual(
    expect.stringMatching(/^changed,customers,cust_\w+,Acme & Sons,name,Acme,Acme & Sons$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^added,wallet_accounts,"cust_\w+\ndefault:USD",Acme & Sons default:USD,available,,12\.5$/,
    ),
  );
  const body = { from: { snapshot: 'before' } };
  const { changes } = await client.control('compareWorlds', { body }, 200);
  expect(JSON.parse(json)).toEqual(changes);
});

it('the comparison of snapshots reports no differences, and an unknown name with 422', async () => {
  const same = await page('/compare?from=before&to=before');
  const other = await page('/compare?from=befor');

  expect([same.status, same.words.includes('No differences.')]).toEqual([200, true]);
  expect(other.status).toBe(422);
  expect(other.words).toContain(
    'Nothing is named befor in world test/emulator; the nearest is before.',
  );
});

it('each snapshot says what a restore changes, with a link to the comparison', async () => {
  const { text } = await page('');
  const { text: found } = await page('/compare?to=before');
  const globex = [...found.matchAll(/href="([^"]*\/customers\/[^"]*)"/g)].map(([, href]) => href);

  expect(text).toMatch(
    /href="\/_emulator\/ui\/time\/compare\?to=before">−1 customer, −1 ledger transaction</,
  );
  expect(found).toContain('Restore before');
  expect((await client.http.get(globex[0] as string)).status).toBe(200);
});
