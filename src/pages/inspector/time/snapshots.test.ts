import { beforeAll, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object = {}) =>
  client.http.post(`/_emulator/ui${path}`).type('form').send(body);

const customers = async (client: TestClient): Promise<number> =>
  (await client.api('listCustomers')).total_count;

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

it('a snapshot says what its restore takes away, if that is only a vendor too', async () => {
  const client = createTestClient();
  await post(client, '/time/snapshots', { name: 'one' });
  await client.api('createVendor', { body: { name: 'Model host' } }, 201);

  const { text } = await client.http.get('/_emulator/ui/time');

  expect(text).toContain('>−1 vendor</a>');
});

it.each([
  [{}, 0],
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
  expect((await client.api('listCustomers', { key: 'key_test_other' })).total_count).toBe(1);
});

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

it('the overview takes snapshots under free names', async () => {
  const client = createTestClient();
  await post(client, '/time/snapshots', { name: 'snapshot-1' });

  await post(client, '/time/snapshots');

  const { items } = await client.api('listSnapshots');
  const names = items.map((item: { readonly name: string }) => item.name);
  expect(names).toEqual(['snapshot-1', 'snapshot-2']);
});

it('a reset says before what goes and after what went, and can be undone, once', async () => {
  const client = createTestClient();
  await create(client);
  await create(client);
  const before = await client.http.get('/_emulator/ui/time');
  expect(before.text).toContain('<dt>Goes</dt><dd>2 customers</dd>');

  const { headers } = await post(client, '/time/reset', { to: 'empty' });
  const { text } = await client.http.get(String(headers['location']));
  expect(text).toMatch(/<h1>Overview<.*class="toast".*Done: reset to empty\. −2 customers\./s);
  expect(text).toContain('Undo <span class="hidden"><bdi dir="ltr">the reset to empty</bdi>');
  expect(await customers(client)).toBe(0);

  await post(client, '/time/undo');
  expect(await customers(client)).toBe(2);
  expect((await post(client, '/time/undo')).status).toBe(422);
});

describe('a comparison of snapshots', () => {
  let client: TestClient;
  const page = async (address: string) => {
    const { status, text } = await client.http.get(`/_emulator/ui/time${address}`);
    return { status, words: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), text };
  };

  beforeAll(async () => {
    client = createTestClient();
    const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
    await client.api('saveSnapshot', { body: { name: 'before' } }, 201);
    const path = { customerId: id };
    await client.api('updateCustomer', { path, body: { name: 'Acme & Sons' } }, 204);
    await client.api('createCustomer', { body: { name: 'Globex' } }, 201);
    const body = { transaction_id: '00000000-0000-4000-8000-000000000001', asset: 'USD' };
    const gift = { ...body, amount: 12.5, reason: 'gift' };
    await client.api('adjustWallet', { path, body: gift }, 201);
  });

  it('shows both sides of each difference', async () => {
    const { status, words } = await page('/compare?from=before');

    expect(status).toBe(200);
    for (const part of [
      'Requests between 3 Customers 2 +1',
      '1 added, 1 changed',
      '2 of 2 customers differ',
      'Record Field Before After Difference',
      '~ Acme &amp; Sons Name Acme Acme &amp; Sons',
      '+ Globex',
    ])
      expect(words).toContain(part);
  });

  it('reports no differences, and an unknown name with 422', async () => {
    const same = await page('/compare?from=before&to=before');
    const other = await page('/compare?from=befor');

    expect([same.status, same.words.includes('No differences.')]).toEqual([200, true]);
    expect(other.status).toBe(422);
    expect(other.words).toContain(
      'Nothing is named befor in world test/emulator; the nearest is before.',
    );
  });

  it('is linked from each snapshot, with what a restore changes', async () => {
    const { text } = await page('');
    const { text: found } = await page('/compare?to=before');
    const globex = [...found.matchAll(/href="([^"]*\/customers\/[^"]*)"/g)].map(([, href]) => href);

    expect(text).toMatch(
      /href="\/_emulator\/ui\/time\/compare\?to=before">−1 customer, −1 ledger transaction</,
    );
    expect((await client.http.get(globex[0] as string)).status).toBe(200);
  });
});
