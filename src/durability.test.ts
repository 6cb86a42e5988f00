import { describe, expect, it } from 'vitest';
import {
  BALANCED,
  type BlowReport,
  type Blows,
  PAIR,
  strikeUnderLoad,
} from './testing/durability/blows.ts';
import { hasPostgres } from './testing/postgres/server.ts';

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
  }, 120_000);

  it('neither do three behind a balancer that are killed and restarted, which shows nothing but 503 with Retry-After', async () => {
    const blows = { ...NO_BLOWS, kills: 1, rolls: 1 };

    expectSound(await strikeUnderLoad('suite', blows, BALANCED));
  }, 180_000);
});
