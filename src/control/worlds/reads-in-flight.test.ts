import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../store/storage/storage.ts';
import type { World } from '../../store/world.ts';
import { anEvent } from '../../testing/catalog.ts';
import { asNewAccount, createTestClient, type TestClient } from '../../testing/client.ts';
import { imageOf, restoreWorld } from '../../testing/worlds.ts';

const KEY = 'key_test_shop';
const EVENTS = '/events?customer_external_id=heavy&event_types=call&limit=1';
const PAGE = `/_emulator/ui/events?q=call&search=all&key=${KEY}`;
const COUNT = /data-testid="count">([^<]*)</;

let client: TestClient;
let world: World;
beforeEach(() => {
  client = createTestClient();
  world = client.emulator.worlds.find(KEY) as World;
});
afterEach(() => void vi.restoreAllMocks());

/** Gives a customer, which has another id after each number of other ones, some usage. */
async function fill({ others, events, headers = {} }: Filling): Promise<void> {
  const call = { key: KEY, headers };
  for (let count = 0; count < others; count += 1)
    await client.api('createCustomer', { ...call, body: { name: 'Other' } }, 201);
  const customer = { name: 'Heavy', external_id: 'heavy' };
  await client.api('createCustomer', { ...call, body: customer }, 201);
  for (let sent = 0; sent < events; sent += 100) {
    const length = Math.min(100, events - sent);
    const usage = Array.from({ length }, () => anEvent({ event_type: 'call' }));
    const body = { customer_external_id: 'heavy', events: usage };
    await client.api('submitEvents', { ...call, body }, 204);
  }
}

interface Filling {
  readonly others: number;
  readonly events: number;
  readonly headers?: Record<string, string>;
}

/** Reads in slices as short as possible, and calls `meanwhile` after some of them. */
async function read(path: string, meanwhile: () => void, more: Record<string, string> = {}) {
  let looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    looks += 1;
    if (looks === 6) meanwhile();
    return looks * 1_000;
  });
  const headers = { Authorization: `Bearer ${KEY}`, ...more };
  const { status, text } = await client.http.get(path).set(headers);
  expect(looks).toBeGreaterThan(6);
  return { status, text };
}

describe('a read of a world whose state is replaced before it ends', () => {
  beforeEach(async () => {
    await fill({ others: 1, events: 3 });
    const image = imageOf(world);
    await client.api('resetWorld', { key: KEY, body: { to: 'empty' } });
    await fill({ others: 0, events: 1_100 });
    restore = () => restoreWorld(world, image);
  });
  let restore: () => void;

  it('lists what the new state has', async () => {
    const { status, text } = await read(EVENTS, restore);

    expect([status, JSON.parse(text).total_count]).toEqual([200, 3]);
  });

  it('returns 401 if the new state lacks its connected account', async () => {
    const headers = await asNewAccount(client.api, KEY);
    await fill({ others: 0, events: 1_100, headers });

    expect(await read(EVENTS, restore, headers)).toEqual({ status: 401, text: '' });
  });

  it('is not in the request log of the new state', async () => {
    await read(EVENTS, restore);

    expect((await client.api('listRequests', { key: KEY })).total_count).toBe(0);
  });

  it('shows what the new state has on a page', async () => {
    await client.http.get(PAGE);
    const { text } = await read(PAGE, restore);

    expect(COUNT.exec(text)?.[1]).toBe('3 in all');
  });
});

it.each([
  [EVENTS, 503],
  ['/_emulator/export', 503],
  [PAGE, 404],
])('GET %s of a world that is closed meanwhile returns %d', async (path, expected) => {
  await fill({ others: 0, events: 1_100 });
  await client.http.get(PAGE);
  const { status, text } = await read(path, () => void client.emulator.worlds.close('shop'));

  expect(status).toBe(expected);
  if (status === 503) expect(text).toContain('This world was closed in the meantime. Try again.');
});

it('a page that waits for its changes to be kept is of the state before the wait', async () => {
  let wait: (() => Promise<void>) | undefined;
  client = createTestClient({}, { storage: { ...memoryStorage, durable: () => wait?.() } });
  world = client.emulator.worlds.find(KEY) as World;
  await fill({ others: 0, events: 1 });
  wait = async () => {
    wait = undefined;
    restoreWorld(world, { ...imageOf(world), tables: {} });
  };
  const { status, text } = await client.http.get(`/_emulator/ui/?key=${KEY}`);
  await client.emulator.close();

  expect([status, /aria-label="(\d+ customers)"/.exec(text)?.[1]]).toEqual([200, '1 customers']);
});
