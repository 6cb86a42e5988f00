import { describe, expect, it } from 'vitest';
import { killUnderLoad } from '../testing/durability/kill.ts';

/** The short form of `npm run prove -- kill`. */
describe('kill -9 under load, in mode on-commit', () => {
  it('loses no acknowledged write and breaks no ledger law', async () => {
    const { acknowledged, missing, torn, findings } = await killUnderLoad('suite', 3);

    expect(acknowledged).toBeGreaterThan(20);
    expect({ missing, torn, findings }).toEqual({ missing: [], torn: [], findings: [] });
  }, 80_000);
});
