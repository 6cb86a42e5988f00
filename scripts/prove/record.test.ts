import { expect, it } from 'vitest';
import { playOnMutants, RESOURCE_MUTANTS, RESOURCES } from './recorded-mutants.ts';

/** One mutant of each resource; `npm run prove -- record` plays all of them. */
const CHOSEN = [
  'account-metadata-lost',
  'quote-multiplies',
  'portal-link-expired',
  'customer-update-ignored',
  'adjustment-rounds-to-cents',
  'event-lost',
  'product-code-filter-ignored',
  'tasks-ascending',
  'top-up-amount-in-cents',
  'vendor-filter-ignored',
  'secret-listed',
];

it('is green where all is well, and red on a mutant of each resource', async () => {
  const mutants = RESOURCE_MUTANTS.filter(({ mutant }) => CHOSEN.includes(mutant.id));
  const plays = await playOnMutants(mutants);
  const red = plays.filter(({ problem }) => problem !== undefined);

  expect(red.map(({ resource }) => resource).sort()).toEqual([...RESOURCES].sort());
});
