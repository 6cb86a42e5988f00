import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object, key = 'key_test_emulator') =>
  client.http.post(`/_emulator/ui${path}?key=${key}`).type('form').send(body);

const names = async (client: TestClient): Promise<string[]> =>
  (await client.control('listSandboxes', {}, 200)).items.map(({ name }: { name: string }) => name);

it('creates a sandbox from a fixture, goes there, and closes it', async () => {
  const client = createTestClient();

  const created = await post(client, '/sandboxes', { name: 'shop', fixture: 'quickstart' });
  expect(created.headers['location']).toBe('/_emulator/ui?key=key_test_shop');
  const { total_count } = await client.api('listCustomers', { key: 'key_test_shop' }, 200);
  expect(total_count).toBe(2);

  const closed = await post(client, '/sandboxes/close', { name: 'shop' }, 'key_test_shop');
  expect(closed.headers['location']).toBe('/_emulator/ui');
  expect(await names(client)).toEqual(['emulator']);
});

it.each([
  ['/sandboxes', { name: 'Shop' }],
  ['/sandboxes', { name: 'emulator' }],
  ['/sandboxes', { name: 'shop', fixture: 'none' }],
  ['/sandboxes', {}],
  ['/sandboxes/close', { name: 'none' }],
])('says why %s of %j is refused', async (path, body) => {
  const client = createTestClient();

  const { status, text } = await post(client, path, body);

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await names(client)).toEqual(['emulator']);
});
