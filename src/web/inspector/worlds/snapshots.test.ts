import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object = {}) =>
  client.http.post(`/_emulator/ui${path}`).type('form').send(body);

const customers = async (client: TestClient): Promise<number> =>
  (await client.api('listCustomers', {}, 200)).total_count;

const create = (client: TestClient) =>
  client.api('createCustomer', { body: { name: 'Acme' } }, 201);

it('saves, restores and deletes', async () => {
  const client = createTestClient();
  await create(client);
  expect((await post(client, '/snapshots', { name: 'one' })).headers['location']).toContain(
    'done=saved',
  );
  await create(client);

  await post(client, '/snapshots/one/restore');
  expect(await customers(client)).toBe(1);

  await post(client, '/snapshots/one/delete');
  const { text } = await client.http.get('/_emulator/ui/snapshots');
  expect(text).toContain('No snapshot was saved.');
});

it.each([
  [{}, 0],
  [{ to: 'empty' }, 0],
  [{ to: 'fixture', name: 'quickstart' }, 2],
])('resets by %j', async (body, expected) => {
  const client = createTestClient();
  await create(client);

  expect((await post(client, '/reset', body)).status).toBe(303);

  expect(await customers(client)).toBe(expected);
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
])('says why %s of %j is refused, and changes nothing', async (path, body) => {
  const client = createTestClient();
  await create(client);

  const { status, text } = await post(client, path, body);

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await customers(client)).toBe(1);
});
