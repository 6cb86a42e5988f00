import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { World } from '../../store/world.ts';
import { asNewAccount, createTestClient, type TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { newFolder, openFile } from '../../testing/files.ts';
import { startServer } from '../../testing/server.ts';
import { worldCalls } from '../../testing/worlds.ts';

let folder: string;
let time = 0;
let client: TestClient;
beforeEach(async () => {
  folder = newFolder();
  client = await open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await client.emulator.close();
});

async function open(): Promise<TestClient> {
  const storage = await openFile(join(folder, 'data.json'));
  return createTestClient({}, { storage, machine: () => time });
}

/** Closes the emulator and opens its data file again. */
async function reopen(): Promise<void> {
  await client.emulator.close();
  client = await open();
}

const { api, create, names } = worldCalls(() => client);
const KEY = 'key_test_shop';
const HEADERS = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
const ADMIN = 'key_test_admin';
const remove = (key: string) => api('deleteSandbox', { key, query: { name: 'shop' } }, 204);
const undo = () => api('resetWorld', { key: KEY, body: { to: 'previous' } });

/** Creates a customer with a body that is sent once the emulator asks for it and `meanwhile` has ended. */
async function createSlowly(meanwhile: () => Promise<unknown>, headers = {}) {
  const { url, close } = await startServer(client.emulator.handle);
  const sent: ClientRequest = request(`${url}/customers`, {
    method: 'POST',
    headers: { ...HEADERS, Expect: '100-continue', ...headers },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  await meanwhile();
  sent.end(JSON.stringify({ name: 'Slow' }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await close();
  return response.statusCode;
}

/** Starts a delivery of the world to a receiver that never responds. */
async function holdDelivery() {
  const held: ServerResponse[] = [];
  const server = await startServer((_request, response) => held.push(response));
  const topic = 'subscription.activated';
  await client.api('createWebhook', { key: KEY, body: { url: server.url, topics: [topic] } }, 201);
  await client.api('testWebhooks', { key: KEY, path: { topic }, body: {} }, 202);
  await eventually(() => held.length === 1);
  return server;
}

/** Adds as many records as take long to read. */
function addVendors(): void {
  const world = client.emulator.worlds.find(KEY) as World;
  const about = { owner: world.accountId, name: 'Vendor', created_at: world.now };
  world.commit(() => {
    for (let count = 0; count < 5_000; count += 1) {
      const id = world.nextId('vendor', world.accountId);
      world.tables.vendors.put({ id, seq: world.nextSeq(), ...about });
    }
  });
}

/** Lets all long work pause as often as it can. */
function pauseOften(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
}

it('a request whose body arrives after its sandbox was deleted and used again is one of the new world', async () => {
  await create('Former', KEY);
  const status = await createSlowly(async () => {
    await remove(ADMIN);
    await create('New', KEY);
  });
  const before = [status, await names(KEY)];
  await reopen();

  expect(before).toEqual([201, ['Slow', 'New']]);
  expect(await names(KEY)).toEqual(['Slow', 'New']);
});

it('a request whose account was reset away before its body arrives returns 401', async () => {
  const headers = await asNewAccount(client.api, KEY);
  const reset = () => api('resetWorld', { key: KEY, body: { to: 'empty' } });

  expect(await createSlowly(reset, headers)).toBe(401);
  expect((await api('exportWorld', { key: KEY })).tables).toEqual({});
});

it('a sandbox that is deleted by its own key stays deleted after a restart', async () => {
  await create('Former', KEY);
  await remove(KEY);
  await reopen();

  expect(client.emulator.worlds.has(KEY)).toBe(false);
});

it('two undos at once bring back the state before the last one', async () => {
  for (const state of ['one', 'two', 'three']) {
    await create(state, KEY);
    addVendors();
    await api('resetWorld', { key: KEY, body: { to: 'empty' } });
  }
  pauseOften();
  await Promise.all([undo(), undo()]);

  expect(await names(KEY)).toEqual(['two']);
  await undo();
  expect(await names(KEY)).toEqual(['one']);
  await api('resetWorld', { key: KEY, body: { to: 'previous' } }, 404);
});

it('an advance whose sandbox expires meanwhile returns 409', async () => {
  await api('createSandbox', { body: { name: 'shop', time_to_live: 'PT1M' } }, 201);
  const receiver = await holdDelivery();
  const { worlds, clocks } = client.emulator;
  const advance = api('advanceClock', { key: KEY, body: { by: 'PT1S' } }, 409);
  const world = worlds.find(KEY) as World;
  await eventually(() => clocks.isMoving(world));
  time += 60_000;
  await api('listSandboxes');

  expect((await advance).detail).toBe('This world was closed in the meantime.');
  await receiver.close();
});
