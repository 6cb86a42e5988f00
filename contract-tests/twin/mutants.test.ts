import { describe, expect, it } from 'vitest';
import { sampled } from '../kit/sample.ts';
import { gatherCases } from '../kit/selftest/cases.ts';
import {
  inPairs,
  mutantsBeyondTwin,
  mutantsOfAllResources,
  twinOfMutants,
} from '../kit/testing/twin-mutants.ts';

/** The short form of `npm run prove -- twin --part mutants`. */
describe('before a declared mutant', () => {
  const some = sampled(mutantsOfAllResources(30), 5);

  it.each(some)('names one cause: $about', async (mutant) => {
    const { causes } = await twinOfMutants([mutant], await gatherCases());

    expect(causes.map(({ cause, also }) => [cause, also])).toHaveLength(1);
  });

  const pairs = inPairs(some).map((pair) => ({ pair, about: pair.map((one) => one.about) }));

  it.each(pairs)('names each of two at once: $about', async ({ pair }) => {
    const { causes } = await twinOfMutants(pair, await gatherCases());

    expect(causes.map(({ cause, also }) => [cause, also])).toHaveLength(2);
  });

  it('names nothing where the same traffic meets nothing wrong', async () => {
    const { causes, compared } = await twinOfMutants(some, await gatherCases(), true);

    expect([causes, compared > 10]).toEqual([[], true]);
  });

  it.each(mutantsBeyondTwin())('names nothing that it does not compare: $about', async (mutant) => {
    const { causes } = await twinOfMutants([mutant], await gatherCases());

    expect(causes).toEqual([]);
  });
});
