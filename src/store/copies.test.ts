import { expect, it } from 'vitest';
import { instant } from '../domain/instant.ts';
import { createTestClient } from '../testing/client.ts';
import { anEmptyWorld, imageOf, restoreWorld } from '../testing/worlds.ts';
import { readCaptured, readConsistently } from './consistent-reads.ts';
import { createSharer, InternPool } from './intern-pool.ts';
import { rebaseImage } from './rebase-image.ts';
import { runToCompletion } from './time-sliced.ts';
import type { World, WorldImage } from './world.ts';

const clock = { mode: 'frozen', at: instant('2026-01-15T12:00:00Z') } as const;
const world = anEmptyWorld({ sandbox: 'copy' });
const from = { sandbox: 'source', environment: 'test', accountId: 'acc_source' } as const;

it('rebaseImage() replaces the account id in every text and shares the parts that do not contain it', () => {
  const [fees, data] = [[{ id: 'fee_1' }], { note: 'of acc_source alone' }];
  const row = { id: 'acc_source\ne1', seq: 1, owner: 'acc_source', fees, data };
  const image: WorldImage = { sequence: 1, requests: 0, clock, tables: { events: [row] } };

  const { tables } = runToCompletion(rebaseImage(image, from, world, []));

  const { accountId } = world;
  expect(tables['events']).toEqual([
    {
      id: `${accountId}\ne1`,
      seq: 1,
      owner: accountId,
      fees: [{ id: 'fee_1' }],
      data: { note: `of ${accountId} alone` },
    },
  ]);
  expect(tables['events']?.[0]).toHaveProperty('fees', fees);
  expect(Object.values(tables['events']?.[0] ?? {})).toContain(fees);
});

it.each([false, true])(
  'readConsistently() reads again if the state was replaced and the read failed: %s',
  async (fails) => {
    const world = { replacements: 0, isClosed: false };
    const found: number[] = [];
    const read = async () => {
      const before = world.replacements;
      found.push(before);
      if (before === 0) world.replacements = 1;
      if (fails && before === 0) throw new Error('It is gone.');
      return before;
    };

    expect(await readConsistently(world as World, read)).toBe(1);
    expect(found).toEqual([0, 1]);
  },
);

const client = createTestClient();

async function aWorld(): Promise<World> {
  const key = 'key_test_captured';
  for (const name of ['one', 'two']) await client.api('createVendor', { key, body: { name } }, 201);
  return client.emulator.worlds.find(key) as World;
}

it('readCaptured() reads the state at its start, whatever is committed or reset meanwhile', async () => {
  const world = await aWorld();
  const { vendors } = world.tables;
  const [one, two] = [...vendors.values()];
  if (!one || !two) throw new Error('There are two.');
  const image = imageOf(world);
  const seen = await readCaptured(world, function* (tables) {
    world.commit(() => {
      vendors.put({ ...one, name: 'changed' });
      vendors.put({ ...one, name: 'changed again' });
      vendors.remove(two.id);
      vendors.put({ ...two, id: 'vendor_three', seq: world.nextSeq() });
    });
    yield;
    const midway = tables.vendors.get(one.id);
    restoreWorld(world, { ...image, tables: {} });
    world.commit(() => vendors.put({ ...one, name: 'another with its id' }));
    restoreWorld(world, { ...image, tables: {} });
    yield;
    const found = ['vendor_three', one.id, two.id].map((id) => tables.vendors.get(id));
    return { midway, found, all: [...tables.vendors.values()], size: tables.vendors.size };
  });
  expect(seen).toEqual({ midway: one, found: [undefined, one, two], all: [one, two], size: 2 });
  expect(vendors.size).toBe(0);
});

it('InternPool returns the first of equal values until it is full and is emptied', () => {
  const known = new InternPool<readonly number[]>(2);
  const [first, second] = [[1], [2]];

  expect(known.intern('1', first)).toBe(first);
  expect(known.intern('1', [1])).toBe(first);
  expect(known.intern('2', second)).toBe(second);
  expect(known.intern('1', [1])).toBe(first);

  known.intern('3', [3]);
  const anew = [1];
  expect(known.intern('1', anew)).toBe(anew);
});

const text = JSON.stringify({
  id: 'e1',
  seq: 1,
  owner: 'acc_1',
  billed_by: [{ id: 'prp_1', version: 1 }],
  fees: [{ id: 'fee_1', terms: { price_name: 'Call' } }],
  costs: [],
  postings: [{ from: 'wallet', to: 'revenue', amount: '0.01', grant_id: 'grt_1' }],
  data: { __proto__: 1, terms: { price_name: 'Call' } },
});

it('createSharer() makes rows share equal parts and does not change their contents', () => {
  const share = createSharer();
  const read = () => JSON.parse(text);
  const [first, second, other] = [
    share(read()),
    share(read()),
    share({ ...read(), billed_by: [{ id: 'prp_1', version: 2 }] }),
  ];

  expect(second.billed_by).toBe(first.billed_by);
  expect(second.fees[0].terms).toBe(first.fees[0].terms);
  expect(second.postings).toBe(first.postings);
  expect(second.fees).not.toBe(first.fees);
  expect(other.billed_by).toEqual([{ id: 'prp_1', version: 2 }]);
  expect(JSON.stringify([first, second])).toBe(`[${text},${text}]`);
});
