import fc from 'fast-check';
import { anOwnWorld, check } from '../kit/index.ts';
import type { Weights } from '../model/arbitrary-action.ts';
import { historyArbitrary } from '../model/arbitrary-history.ts';
import type { History } from '../model/history.ts';
import { playHistory } from '../model/play.ts';

const SEED = 20260131;

const CHANGES: Weights = {
  ...{ events: 10, rate: 4, subscribe: 2, pay: 2, change: 1, end: 1, resume: 1 },
};

/** Steps after those that activate subscriptions. `prove -- oracle` plays more and longer histories. */
const STEPS = 6;

for (const [id, steps, weights] of [
  ['X-53', 'usage, credit, plans, payments and rates', undefined],
  ['X-60', 'usage under plans and rates that change', CHANGES],
] as const)
  check(
    id,
    {
      requirement:
        'R-CONV-27 R-EVT-63 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-PRF-11 R-PRF-15 R-PRF-16 R-PRF-17 R-PRF-18 R-PRF-19 R-SUB-45 R-SUB-47 R-SUB-48 R-SUB-50 R-WAL-06 R-WAL-45 R-WAL-49 R-WAL-50 R-WAL-52 R-WAL-53 R-WAL-54',
      effect: 'E4',
      assumes: 'A-605 A-607 A-608 A-806 A-901 A-902 A-903 A-904',
      needs: 'clock.movable',
    },
    `a random history of ${steps} over months → every fee, balance, grant, transaction and revenue equals that of a model written from the documents alone`,
    async (t) => {
      const [history] = fc.sample(historyArbitrary(weights, STEPS, STEPS), {
        seed: SEED,
        numRuns: 1,
      });
      await playHistory(anOwnWorld(t), history as History);
    },
  );
