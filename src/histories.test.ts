import { beforeAll, describe, expect, it } from 'vitest';
import { playOnEach, playOnSeveral, randomHistories } from './testing/durability/histories.ts';
import { hasPostgres, sharedPostgres, type TestPostgres } from './testing/postgres/server.ts';

/** The short form of the histories of `npm run prove -- postgresql` and `npm run prove -- several`. */
describe.skipIf(!hasPostgres)('a random history', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  }, 60_000);

  it.each(randomHistories(3, 11).map((history, place) => ({ place, history })))(
    'number $place has the same export in memory, in a file and in PostgreSQL, byte by byte',
    async ({ place, history }) => {
      const played = await playOnEach(history, postgres.url, `history_${place}`);
      const { memory, file, database } = played;

      expect(memory.join('').length).toBeGreaterThan(100);
      expect(file).toEqual([memory, memory]);
      expect(database).toEqual([memory, memory]);
    },
    60_000,
  );

  it('has the same export with three emulators, each request at another one', async () => {
    const [history] = randomHistories(1, 13, ['undo']);
    if (!history) throw new Error('There is no history.');
    const { memory } = await playOnEach(history, postgres.url, 'alone');

    expect(memory.join('').length).toBeGreaterThan(100);
    expect(await playOnSeveral(history, postgres.url, 'several')).toEqual(memory);
  }, 60_000);
});
