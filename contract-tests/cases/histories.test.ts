import fc from 'fast-check';
import { anOwnWorld, check, describe } from '../kit/index.ts';
import { historyArbitrary } from '../model/arbitrary-history.ts';
import { playHistory } from '../model/play.ts';

const SEED = 20260131;
const HISTORIES = 24;
/** After how many steps the state is compared, which takes most of the requests. */
const EVERY = 6;

describe('random histories', () => {
  // random histories of usage, credit, plans, payments and rates over months → every fee, balance, grant, status and
  // revenue as a model has them that was made from the documents alone
  check('X-53', async (t) => {
    for (const history of fc.sample(historyArbitrary, { seed: SEED, numRuns: HISTORIES }))
      await playHistory(anOwnWorld(t), history, EVERY);
  });
});
