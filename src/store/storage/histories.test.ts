import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../config/settings.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../testing/postgres/server.ts';
import { KEYS, WorldModel } from '../../testing/random/world-model.ts';
import { WORLD_STEPS } from '../../testing/random/world-steps.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';

const [RUNS, SEED] = [3, 11];
const LOG = { info: () => {}, error: () => {} };

type StepName = keyof typeof WORLD_STEPS;
const names = Object.keys(WORLD_STEPS) as StepName[];
const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...KEYS), fc.nat(5));
const histories = fc.sample(fc.array(step, { minLength: 12, maxLength: 24, size: 'max' }), {
  ...{ numRuns: RUNS, seed: SEED },
});

/** The exports of all worlds that are open, as they are sent. */
async function exportsOf({ http, emulator }: TestClient): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const key of KEYS.filter((each) => emulator.worlds.has(each)))
    texts.push((await http.get('/_emulator/export').set('Authorization', `Bearer ${key}`)).text);
  return texts;
}

/** The exports after a history, and after the emulator was stopped and started again, if its storage keeps anything. */
async function play(
  history: (typeof histories)[number],
  open: () => Promise<Storage>,
): Promise<readonly (readonly string[])[]> {
  const model = new WorldModel(createTestClient({}, { storage: await open() }));
  for (const [name, key, n] of history) await WORLD_STEPS[name](model, key, n);
  const before = await exportsOf(model.client);
  await model.client.emulator.close();
  const again = createTestClient({}, { storage: await open() });
  const after = await exportsOf(again);
  await again.emulator.close();
  return [before, after];
}

describe.skipIf(!hasPostgres)('a random history', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.stop());

  it.each(histories.map((history, place) => ({ place, history })))(
    'number $place has the same export in memory, in a file and in PostgreSQL, byte by byte',
    async ({ place, history }) => {
      const opening = (data: string) => () =>
        openStorage(readSettings({ data, data_schema: `history_${place}` }), LOG);
      const [memory] = await play(history, opening(''));
      const file = await play(history, opening(join(newFolder(), 'data.json')));
      const database = await play(history, opening(postgres.url));

      expect(memory?.join('').length).toBeGreaterThan(100);
      expect(file).toEqual([memory, memory]);
      expect(database).toEqual([memory, memory]);
    },
    60_000,
  );
});
