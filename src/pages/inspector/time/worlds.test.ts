import { expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

const post = (client: TestClient, path: string, body: object, key = 'key_test_emulator') =>
  client.http.post(`/_emulator/ui${path}?key=${key}`).type('form').send(body);

const names = async (client: TestClient): Promise<string[]> =>
  (await client.api('listSandboxes')).items.map(({ name }: { name: string }) => name);

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
  expect(text).toContain('Undo <span class="hidden"><bdi>the closing of shop</bdi>');
  await post(client, '/time/undo', {}, 'key_test_shop');
  const brought = await client.api('listCustomers', { key: 'key_test_shop' });
  expect(brought.total_count).toBe(2);
});

it.each([
  ['/worlds', { name: 'Shop' }],
  ['/worlds', { name: 'emulator' }],
  ['/worlds', { name: 'shop', fixture: 'none' }],
  ['/worlds', {}],
  ['/worlds/close', { name: 'none' }],
])('the form %s rejects %j with 422 and the reason', async (path, body) => {
  const client = createTestClient();

  const { status, text } = await post(client, path, body);

  expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  expect(await names(client)).toEqual(['emulator']);
});
