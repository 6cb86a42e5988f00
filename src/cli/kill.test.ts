import { describe, expect, it } from 'vitest';
import { killUnderLoad } from '../testing/durability/kill.ts';

/** The short form of `npm run prove -- kill`. */
describe('kill -9 under load, in mode on-commit', () => {
  it('loses no write that was acknowledged, and breaks no law of the ledger', async () => {
    const { acknowledged, missing, torn, findings } = await killUnderLoad('suite', 3);

    expect(acknowledged).toBeGreaterThan(20);
    expect({ missing, torn, findings }).toEqual({ missing: [], torn: [], findings: [] });
  }, 80_000);
});
