import { expect, it } from 'vitest';
import { anEvent } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';
import { imageOf, restoreWorld } from '../testing/worlds.ts';
import type { StepContext } from './request-context.ts';
import { cachedResponse, cacheResponse } from './response-cache.ts';

const client = createTestClient();

/** Returns the text of a response that may come from the cache, and the text of a fresh one. */
async function read(path: string, key: string, nonce: number): Promise<readonly [string, string]> {
  const get = (address: string) =>
    client.http
      .get(address)
      .set('Authorization', `Bearer ${key}`)
      .then(({ text }) => text);
  // Empty query parameters change nothing but miss the cache.
  const anew = `${path}${path.includes('?') ? '' : '?'}${'&'.repeat(nonce + 1)}`;
  return [await get(path), await get(anew)];
}

it('returns from the cache what a fresh read returns, after any change of the world or clock', async () => {
  const { api, emulator } = client;
  const user = await aUser(client, { customer: { name: 'Acme' } });
  const { key, customerId } = user;
  const path = { customerId };
  await user.credit('USD', 50, { reason: 'gift' });
  const world = emulator.worlds.find(key);
  const image = imageOf(world);
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => {},
    () => api('updateCustomer', { key, path, body: { name: 'Acme Ltd' } }, 204),
    () => user.submit(anEvent()),
    () => api('createCustomer', { key, body: { name: 'Other' } }, 201),
    () => api('advanceClock', { key, body: { by: '40d' } }),
    () => api('updateCustomer', { key, path, body: { name: 7 } }, 422),
    async () => restoreWorld(world, image),
  ];
  const account = `/customers/${customerId}/wallet/main:USD`;
  const reads = ['/customers', `/customers/${customerId}`, '/events', account, '/customers/stats'];
  let nonce = 0;
  for (const change of changes) {
    await change();
    for (const address of [...reads, ...reads]) {
      nonce += 1;
      const [known, anew] = await read(address, key, nonce);
      expect(known).toBe(anew);
    }
  }
});

it('caches the responses of each account separately', async () => {
  const { api, http } = client;
  const { key } = await aUser(client);
  const { id } = await api('createConnectedAccount', { key, body: { name: 'Sub' } }, 201);
  const asked = () => http.get('/customers').set('Authorization', `Bearer ${key}`);
  expect((await asked()).body.total_count).toBe(1);
  expect((await asked().set('X-Service-Account', id)).body.total_count).toBe(0);
  expect((await asked()).body.total_count).toBe(1);
});

it('counts cache keys as well as responses, and clears the cache above its size limit', () => {
  const world = client.emulator.worlds.find('key_test_kept');
  const version = world?.version;
  const asked = (search: string) =>
    ({
      api: {},
      version,
      caller: { world, owner: 'acc_1' },
      rawRequest: { method: 'GET', path: '/customers', search, headers: { host: 'localhost' } },
    }) as unknown as StepContext;
  const isKept = (search: string) => cachedResponse(asked(search)) !== undefined;
  const keep = (search: string) =>
    cacheResponse(asked(search), { status: 200, headers: {}, text: '{}' });
  keep('first');
  const before = isKept('first');
  for (let count = 0; count < 4; count += 1) keep(String(count).repeat(1_000_000));

  expect([before, isKept('first')]).toEqual([true, false]);
});
