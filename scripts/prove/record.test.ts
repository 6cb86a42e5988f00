import { expect, it } from 'vitest';
import { playOnMutants, RESOURCE_MUTANTS, RESOURCES } from './recorded-mutants.ts';

/** One mutant of each resource; `npm run prove -- record` runs all of them. */
const CHOSEN = [
  'Metadata of an account is lost',
  'A quote multiplies by the rate',
  'A portal link is born expired',
  'An update of a customer changes nothing',
  'Adjustments are cut to whole units',
  'The last event of a batch is lost',
  'The code filter is ignored',
  'Tasks stand oldest first',
  'A top-up shows cents',
  'The external_id filter of vendors is ignored',
  'Secrets are listed',
];

it('recorded fixtures pass on the emulator, and fail on a mutant of each resource', async () => {
  const mutants = RESOURCE_MUTANTS.filter(({ mutant }) => CHOSEN.includes(mutant.id));
  const plays = await playOnMutants(mutants);
  const red = plays.filter(({ problem }) => problem !== undefined);

  expect(red.map(({ resource }) => resource).sort()).toEqual([...RESOURCES].sort());
});
