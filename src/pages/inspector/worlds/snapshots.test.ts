import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object = {}) =>
  client.http.post(`/_emulator/ui${path}`).type('form').send(body);

const customers = async (client: TestClient): Promise<number> =>
  (await client.api('listCustomers', {}, 200)).total_count;

const create = (client: TestClient) =>
  client.api('createCustomer', { body: { name: 'Acme' } }, 201);

const CONFIRMED = { confirmed: 'yes' };

it('a snapshot is saved, restored and deleted', async () => {
  const client = createTestClient();
  await create(client);
  expect((await post(client, '/snapshots', { name: 'one' })).headers['location']).toContain(
    'done=saved',
  );
  await create(client);

  await post(client, '/snapshots/one/restore', CONFIRMED);
  expect(await customers(client)).toBe(1);

  const { headers } = await post(client, '/snapshots/one/delete', CONFIRMED);
  const { text } = await client.http.get(String(headers['location']));
  expect(text).toContain('No snapshots yet.');
});

it('only the requests in the log are counted, so none after a restore', async () => {
  const client = createTestClient();
  await create(client);
  await post(client, '/snapshots', { name: 'one' });
  const counts = async () => {
    const { text } = await client.http.get('/_emulator/ui/requests');
    return /Requests<small[^>]*>(\d+)</.exec(text)?.[1];
  };
  expect(await counts()).toBe('1');

  await post(client, '/snapshots/one/restore', CONFIRMED);

  expect(await counts()).toBeUndefined();
});

it.each([
  [{}, 0],
  [{ to: 'empty' }, 0],
  [{ to: 'fixture', name: 'quickstart' }, 2],
])('a world is reset by the form %j', async (body, expected) => {
  const client = createTestClient();
  await create(client);

  expect((await post(client, '/reset', { ...body, ...CONFIRMED })).status).toBe(303);

  expect(await customers(client)).toBe(expected);
});

it('the snapshots page has the command that exports the world', async () => {
  const { text } = await createTestClient().http.get('/_emulator/ui/snapshots?key=key_test_shop');

  expect(text).toMatch(/npx billing-emulator export world\.json --key key_test_shop --url http:/);
});

it.each([
  ['/reset', {}],
  ['/reset', { to: 'empty' }],
  ['/snapshots/one/restore', {}],
  ['/snapshots/one/delete', {}],
])('the form %s with %j first shows what will be lost, and changes nothing', async (path, body) => {
  const client = createTestClient();
  await create(client);
  await post(client, '/snapshots', { name: 'one' });

  const { status, text } = await post(client, path, body);

  expect([status, /<dt>Customers<\/dt><dd>1<\/dd>/.test(text)]).toEqual([200, true]);
  expect(await customers(client)).toBe(1);
  await client.control('resetWorld', { body: { to: 'snapshot', name: 'one' } }, 200);
});

it('the undo of a reset asks for confirmation only if records would be lost', async () => {
  const client = createTestClient();
  await create(client);
  await post(client, '/reset', { to: 'empty', ...CONFIRMED });

  expect((await post(client, '/undo')).headers['location']).toContain('done=undone');
  expect(await customers(client)).toBe(1);

  await post(client, '/reset', { to: 'empty', ...CONFIRMED });
  await create(client);
  await create(client);
  expect((await post(client, '/undo')).text).toContain('will be lost');
  expect(await customers(client)).toBe(2);
  expect((await post(client, '/undo', CONFIRMED)).status).toBe(303);
  expect(await customers(client)).toBe(1);
  expect((await post(client, '/undo', CONFIRMED)).status).toBe(422);
});

it.each([
  ['/snapshots', { name: 'No such name' }],
  ['/snapshots', {}],
  ['/snapshots/none/restore', {}],
  ['/snapshots/none/delete', {}],
  ['/reset', { to: 'fixture', name: '../../etc/passwd' }],
  ['/reset', { to: 'fixture', name: 'none' }],
  ['/reset', { to: 'snapshot' }],
  ['/reset', { to: 'elsewhere' }],
])('the form %s rejects %j with 422 and the reason, and changes nothing', async (path, body) => {
  const client = createTestClient();
  await create(client);

  const { status, text } = await post(client, path, { ...body, ...CONFIRMED });

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await customers(client)).toBe(1);
});
