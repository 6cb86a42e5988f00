import { beforeAll, describe, expect, it } from 'vitest';
import {
  BALANCED,
  type BlowReport,
  type Blows,
  PAIR,
  strikeUnderLoad,
} from './testing/durability/blows.ts';
import { playOnEach, playOnSeveral, randomHistories } from './testing/durability/histories.ts';
import { PostgresEmulators } from './testing/postgres/emulators.ts';
import { hasPostgres, sharedPostgres, type TestPostgres } from './testing/postgres/server.ts';

const NO_BLOWS: Blows = { kills: 0, suspensions: 0, restarts: 0, cuts: 0, rolls: 0 };

function expectSound({ acknowledged, claims, events, wrong }: BlowReport): void {
  expect(acknowledged).toBeGreaterThan(30);
  expect(claims).toBeGreaterThan(1);
  expect(events).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
}

/** The short forms of `npm run prove -- postgresql` and `npm run prove -- several`. */
describe.skipIf(!hasPostgres)('emulators of one database under load', () => {
  it('lose nothing acknowledged and bill nothing twice if one is killed, the database crashes and connections are cut', async () => {
    const blows = { ...NO_BLOWS, kills: 1, restarts: 1, cuts: 2 };

    expectSound(await strikeUnderLoad('suite', blows, PAIR));
  });

  it('neither do three behind a balancer that are killed and restarted, which shows nothing but 503 with Retry-After', async () => {
    const blows = { ...NO_BLOWS, kills: 1, rolls: 1 };

    expectSound(await strikeUnderLoad('suite', blows, BALANCED));
  }, 180_000);
});

describe.skipIf(!hasPostgres)('worlds of a database', () => {
  const emulators = new PostgresEmulators();
  const { start, stop } = emulators;

  it('are held while they are read, however long that takes', async () => {
    const { postgres, schema } = emulators;
    const first = await start();
    await first.api('createCustomer', { body: { name: 'ann', external_id: 'ann' } }, 201);
    await stop(first);
    const second = await start();
    const slow = postgres.query(
      `BEGIN; LOCK TABLE ${schema}.records IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(11); COMMIT`,
    );
    const { items } = await second.api('listCustomers');
    const [row] = await postgres.query(`SELECT lease > now() AS is_held FROM ${schema}.worlds`);
    await slow;

    expect(items).toMatchObject([{ name: 'ann' }]);
    expect(row).toEqual({ is_held: true });
  });
});

describe.skipIf(!hasPostgres)('a random history', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  it.each(randomHistories(3, 11).map((history, place) => ({ place, history })))(
    'number $place has the same export in memory, in a file and in PostgreSQL, byte by byte',
    async ({ place, history }) => {
      const played = await playOnEach(history, postgres.url, `history_${place}`);
      const { memory, file, database } = played;

      expect(memory.join('').length).toBeGreaterThan(100);
      expect(file).toEqual([memory, memory]);
      expect(database).toEqual([memory, memory]);
    },
  );

  it('has the same export with three emulators, each request at another one', async () => {
    const [history] = randomHistories(1, 13, ['undo']);
    if (!history) throw new Error('There is no history.');
    const { memory } = await playOnEach(history, postgres.url, 'alone');

    expect(memory.join('').length).toBeGreaterThan(100);
    expect(await playOnSeveral(history, postgres.url, 'several')).toEqual(memory);
  });
});
