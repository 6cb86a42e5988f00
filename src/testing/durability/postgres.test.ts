import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../postgres/server.ts';
import { strikeUnderLoad } from './postgres.ts';

/** The short form of `npm run prove -- postgresql`. */
describe.skipIf(!hasPostgres)('two emulators of one database under load', () => {
  it('lose nothing acknowledged and bill nothing twice if one is killed, the database crashes and connections are cut', async () => {
    const report = await strikeUnderLoad('suite', {
      kills: 1,
      suspensions: 0,
      restarts: 1,
      cuts: 2,
    });
    const { acknowledged, claims, events, ...wrong } = report;

    expect(acknowledged).toBeGreaterThan(30);
    expect(claims).toBeGreaterThan(1);
    expect(events).toBeGreaterThan(10);
    expect(wrong).toEqual({
      ...{ missing: [], torn: [], findings: [], misplaced: [] },
      ...{ undelivered: [], disordered: [] },
    });
  }, 120_000);
});
