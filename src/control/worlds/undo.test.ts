import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Generation, Generations } from '../../store/generations.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder, openFile } from '../../testing/files.ts';
import {
  KEYS,
  takeStep,
  WorldModel,
  type WorldStep,
  worldSteps,
} from '../../testing/world-histories.ts';
import { worldCalls } from '../../testing/worlds.ts';
import { serialise } from '../../text/exact-json.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient({ limits: { MAX_SANDBOXES: 30 } });
});

const { create, names, exported, api } = worldCalls(() => client);
const undo = (status = 200, key = 'key_test_emulator') =>
  api('resetWorld', { key, body: { to: 'previous' } }, status);
const reset = (key = 'key_test_emulator') => api('resetWorld', { key, body: { to: 'empty' } });

describe('a reset to the previous state', () => {
  it('undoes resets one per call, the latest ten of all worlds', async () => {
    await create('elsewhere', 'key_test_other');
    await reset('key_test_other');
    const all = Array.from({ length: 11 }, (_, place) => `number ${place}`);
    for (const name of all) {
      await create(name);
      await reset();
    }
    const found: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      await undo();
      found.push(...(await names()));
    }
    await undo(404, 'key_test_other');

    expect(found).toEqual(all.slice(1).reverse());
    expect((await undo(404)).detail).toContain('Nothing to undo');
  });

  it('undoes an advance with all that was written since, and no preview or advance that fails', async () => {
    const key = 'key_test_exact';
    await api('resetWorld', { key, body: { to: 'fixture', name: 'quickstart' } });
    const before = serialise(await exported(key)).text;
    const advanced = await api('advanceClock', { key, body: { by: 'P40D' } });
    await create('later', key);
    await api('advanceClock', { key, body: { by: 'P1D', dry_run: true } });
    await api('advanceClock', { key, body: { to: '2020-01-01T00:00:00Z' } }, 422);
    expect(advanced.total_count).toBeGreaterThan(0);
    await undo(200, key);

    expect(serialise(await exported(key)).text).toBe(before);
    expect(await api('verifyLedger', { key })).toMatchObject({ sound: true, findings: [] });
    expect(await api('advanceClock', { key, body: { by: 'P40D' } })).toEqual(advanced);
  });

  it('restores every record, index and logged request of each of three states', async () => {
    const key = 'key_test_exact';
    const ordinals = async () => {
      const { items } = await api('listRequests', { key });
      return items.map(({ ordinal, path }: AnyBody) => `${ordinal} ${path}`);
    };
    const before: unknown[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      await api('resetWorld', { key, body: { to: 'fixture', name: 'quickstart' } });
      await create(name, key);
      before.push([serialise(await exported(key)).text, await ordinals()]);
    }
    await reset(key);
    await create('discarded', key);
    const after: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      await undo(200, key);
      after.push([serialise(await exported(key)).text, await ordinals()]);
      expect(await api('verifyLedger', { key })).toMatchObject({ findings: [] });
    }

    expect(after).toEqual(before.slice(1).reverse());
    expect((await ordinals()).length).toBeGreaterThan(0);
    await create('five', key);
    expect((await names(key)).slice(0, 2)).toEqual(['five', 'two']);
  });

  it('restores each environment of a deleted sandbox by its key, with its time to live', async () => {
    const keys = ['key_test_shop', 'key_live_shop'];
    await api('createSandbox', { body: { name: 'shop', time_to_live: 'PT1H' } }, 201);
    for (const key of keys) await create(`Acme of ${key}`, key);
    const before = await Promise.all(keys.map(exported));
    await api('deleteSandbox', { query: { name: 'shop' } }, 204);
    expect(await names('key_test_shop')).toEqual([]);
    for (const key of keys) await undo(200, key);

    expect(await Promise.all(keys.map(exported))).toEqual(before);
    const { items } = await api('listSandboxes');
    expect(items.find(({ name }: AnyBody) => name === 'shop').closes_at).not.toBeNull();
  });

  it('restores nothing of a sandbox whose deletion is final', async () => {
    await create('Acme', 'key_test_shop');
    await reset('key_test_shop');
    await api('deleteSandbox', { query: { name: 'shop', final: true } }, 204);

    await undo(404, 'key_test_shop');
  });
});

const generation = (key: string, megabytes: number): Generation =>
  ({ key, bytes: megabytes * 1_048_576 }) as Generation;

describe('Generations', () => {
  it('drops the oldest above 64 MiB', () => {
    const generations = new Generations();
    for (const key of ['a', 'b', 'c']) generations.add(generation(key, 30));

    expect(['a', 'b', 'c'].map((key) => generations.latest(key)?.bytes)).toEqual([
      undefined,
      31_457_280,
      31_457_280,
    ]);
  });

  it('drops all of a world whose latest is larger than that, and keeps those of others', () => {
    const generations = new Generations();
    generations.add(generation('a', 1));
    generations.add(generation('b', 1));
    generations.add(generation('a', 65));

    expect([generations.latest('a'), generations.latest('b')?.bytes]).toEqual([
      undefined,
      1_048_576,
    ]);
  });
});

const [RUNS, SEED] = [6, 7];

const steps = worldSteps();

/** Takes the steps, and compares the world of each with its model, and all in the end. */
async function run(model: WorldModel, done: readonly WorldStep[]): Promise<void> {
  for (const step of done) {
    await takeStep(model, step);
    await model.check([step[1]]);
  }
  await model.check(KEYS);
}

it('every world equals its model after random resets, restores, imports, deletions and undos', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (done) => run(new WorldModel(createTestClient()), done)),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

it('every world equals its model too if the data file is closed and opened again halfway', async () => {
  const folder = newFolder();
  const open = async (path: string) => createTestClient({}, { storage: await openFile(path) });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      count += 1;
      const path = join(folder, `${count}.json`);
      const model = new WorldModel(await open(path));
      try {
        await run(model, before);
        await model.client.emulator.close();
        model.client = await open(path);
        model.generations.length = 0;
        await model.check(KEYS);
        await run(model, after);
      } finally {
        await model.client.emulator.close();
      }
    }),
    { numRuns: RUNS / 3, seed: SEED, endOnFailure: true },
  );
});
