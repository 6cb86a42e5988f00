import fc from 'fast-check';
import { anOwnWorld, table } from '../kit/index.ts';
import type { Weights } from '../model/arbitrary-action.ts';
import { historyArbitrary } from '../model/arbitrary-history.ts';
import { playHistory } from '../model/play.ts';

const SEED = 20260131;

/** Random histories of months, with the usual kinds of steps or with these. */
const SAMPLES: Readonly<Record<string, { readonly seed: number; readonly weights?: Weights }>> = {
  'usage, credit, plans, payments and rates': { seed: SEED },
  'usage under plans and rates that change': {
    seed: SEED + 1,
    weights: { events: 10, rate: 4, subscribe: 2, pay: 2, change: 1, end: 1, resume: 1 },
  },
};

const HISTORIES = 3;
const MIN_STEPS = 24;

table(
  'X-53',
  {
    requirement: [
      ...['R-CONV-27', 'R-EVT-63', 'R-EVT-65', 'R-EVT-66', 'R-EVT-67', 'R-EVT-68'],
      ...['R-PRF-11', 'R-PRF-15', 'R-PRF-16', 'R-PRF-17', 'R-PRF-18', 'R-PRF-19'],
      ...['R-SUB-45', 'R-SUB-47', 'R-SUB-48', 'R-SUB-50', 'R-WAL-06', 'R-WAL-45'],
      ...['R-WAL-49', 'R-WAL-50', 'R-WAL-52', 'R-WAL-53', 'R-WAL-54'],
    ],
    level: 'ASSUMED',
    effect: 'E4',
    assumes: ['A-605', 'A-607', 'A-608', 'A-806', 'A-901', 'A-902', 'A-903', 'A-904'],
    needs: 'clock.movable',
  },
  'random histories of usage, credit, plans, payments and rates over months → every fee, balance, grant, transaction and revenue equals that of a model written from the documents alone',
  SAMPLES,
  async ({ seed, weights }, t) => {
    const histories = historyArbitrary(weights, MIN_STEPS);
    for (const history of fc.sample(histories, { seed, numRuns: HISTORIES }))
      await playHistory(anOwnWorld(t), history);
  },
);
