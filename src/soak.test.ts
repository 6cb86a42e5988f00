import { describe, expect, it } from 'vitest';
import { soak } from './testing/durability/soak.ts';

/** The short form of `npm run prove -- soak`. Only the long form checks memory. */
describe('hanging receivers, stopped readers, resets, imports and request floods', () => {
  it('cause no defect, and leave no connection or file open', async () => {
    const report = await soak({ seed: 'suite', filling: 1, rest: 0, lasting: 1 });

    expect(report.defects).toEqual([]);
    expect(report.statuses).toMatchObject({
      200: expect.any(Number),
      204: expect.any(Number),
      413: expect.any(Number),
    });
    expect(report.after.descriptors).toBeLessThan(60);
  });
});
