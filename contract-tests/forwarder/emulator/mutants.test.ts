import { describe, expect, it } from 'vitest';
import { gatherCases } from '../../kit/check.ts';
import { sampled } from '../../testing/runs.ts';
import { inPairs, MUTANTS_OF_ONE, twinOfMutants } from '../../testing/twin-mutants.ts';

/** The short form of `npm run prove -- twin --part mutants`. */
describe('a twin of a mutant of the emulator', () => {
  const some = sampled(MUTANTS_OF_ONE, 3);

  it.each(some)('reports one cause: $about', async (mutant) => {
    const { causes } = await twinOfMutants([mutant], await gatherCases());

    expect(causes.map(({ cause, also }) => [cause, also])).toHaveLength(1);
  });

  const pairs = inPairs(some).map((pair) => ({ pair, about: pair.map((one) => one.about) }));

  it.each(pairs)('reports two causes for two mutants at once: $about', async ({ pair }) => {
    const { causes } = await twinOfMutants(pair, await gatherCases());

    expect(causes.map(({ cause, also }) => [cause, also])).toHaveLength(2);
  });

  it('reports no cause for the same requests without a mutant', async () => {
    const { causes, compared } = await twinOfMutants(some, await gatherCases(), true);

    expect([causes, compared > 10]).toEqual([[], true]);
  });
});
