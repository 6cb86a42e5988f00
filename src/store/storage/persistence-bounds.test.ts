import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Instant } from '../../domain/instant.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { aBusyWorld } from '../../testing/setups/busy-world.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import type { Row } from '../row.ts';
import type { World } from '../world.ts';
import { MOST_UNWRITTEN } from './data-error.ts';
import { openPersistence } from './open-persistence.ts';
import type { Persistence } from './persistence.ts';

const KEY = 'key_test_kept';
let folder: string;
let data: Persistence;
let client: TestClient;
let world: World;

beforeEach(async () => {
  folder = newFolder();
  const file = join(folder, 'data.json');
  const settings = { data: file, data_mode: 'on-commit', reporting_currency: 'USD' } as const;
  const log = { info: () => {}, error: () => {} };
  data = (await openPersistence(settings, log)) as Persistence;
  client = createTestClient({ fixture: '' }, { data });
  world = client.emulator.worlds.find(KEY) as World;
});
afterEach(async () => {
  await client.emulator.close();
});

/** Rows that call `onWritten` each time they are serialised. */
function vendors(count: number, onWritten: () => void): Row[] {
  return Array.from({ length: count }, (_, seq) => {
    const row = { id: `vendor ${seq}`, seq, name: 'x'.repeat(100) };
    const toJSON = () => {
      onWritten();
      return row;
    };
    return { ...row, toJSON };
  });
}

const changesOf = (rows: readonly Row[]) =>
  rows.map((after) => ({ table: 'vendors', id: after.id, before: undefined, after }));
const createVendor = (status: number) =>
  client.api('createVendor', { body: { name: 'late' }, key: KEY }, status);

describe('unwritten changes while the disk fails', () => {
  it('make further changes fail with 503 at MOST_UNWRITTEN, until the disk can be written again', async () => {
    let isFull = true;
    const rows = vendors(MOST_UNWRITTEN, () => {
      if (isFull) throw new Error('no space left');
    });
    data.noteCommit(world, changesOf(rows));
    await expect(data.durable()).rejects.toThrow('no space left');
    const { detail } = await createVendor(503);
    const control = await client.control('resetWorld', { body: {}, key: KEY }, 503);
    const refused = world.tables.vendors.size;
    isFull = false;
    await createVendor(201);

    expect(detail).toMatch(/no space left.*nothing was changed/);
    expect(control.detail).toBe(detail);
    expect([refused, world.tables.vendors.size]).toEqual([0, 1]);
  });
});

it('a request whose account is replaced while it waits for the disk returns 401', async () => {
  const parts = { key: KEY, body: { name: 'Connected' } };
  const { id } = await client.api('createConnectedAccount', parts, 201);
  const empty = { ...world.image(), tables: {} };
  vi.spyOn(data, 'room').mockImplementationOnce(async () => world.restore(empty));

  await client.api('createVendor', { ...parts, headers: { 'X-Service-Account': id } }, 401);
  expect(world.tables.vendors.size).toBe(0);
});

describe('a running clock while the disk fails', () => {
  it('stops at the instant of the first due work and continues when the disk can be written again', async () => {
    await aBusyWorld(client, KEY);
    const { clocks } = client.emulator;
    let isFull = true;
    const rows = vendors(MOST_UNWRITTEN, () => {
      if (isFull) throw new Error('no space left');
    });
    data.noteCommit(world, changesOf(rows));
    await expect(data.durable()).rejects.toThrow('no space left');
    const before = world.version;
    clocks.set(world, 'offset', '2026-02-20T12:00:00.000Z' as Instant);
    clocks.running.runDueJobs(world);
    const held = [clocks.isMoving(world), world.now, world.version];
    await client.api('listCustomers', { key: KEY }, 503);
    const later = [clocks.isMoving(world), world.now, world.version];
    isFull = false;
    await vi.waitUntil(() => !clocks.isMoving(world), { timeout: 60_000 });

    expect(held).toEqual([true, '2026-01-16T12:00:00.000Z', before]);
    expect(later).toEqual(held);
    expect(world.version).toBeGreaterThan(before + 30);
    expect(world.now > '2026-02-20T12:00').toBe(true);
    await client.api('listCustomers', { key: KEY }, 200);
  });
});

describe('writing a snapshot', () => {
  it('yields to other work at least every 3,000 rows', async () => {
    let [before, taken, most] = [0, 0, 0];
    const rows = vendors(20_000, () => {
      taken += 1;
    });
    world.commit(() => {
      for (const row of rows) world.tables.vendors.put(row as never);
    });
    void data.durable();
    // Each row is written twice: to the journal, which is then too long, and to the snapshot.
    while (taken < 40_000) {
      before = taken;
      await turn();
      most = Math.max(most, taken - before);
    }

    expect(most).toBeGreaterThan(250);
    expect(most).toBeLessThan(3_000);
  });
});
