import fc from 'fast-check';
import { anOwnWorld, describe, table } from '../kit/index.ts';
import type { Weights } from '../model/arbitrary-action.ts';
import { busyHistoryArbitrary } from '../model/arbitrary-history.ts';
import type { Aspect } from '../model/aspects/aspect.ts';
import { credit } from '../model/aspects/credit.ts';
import { profits } from '../model/aspects/profits.ts';
import { state } from '../model/aspects/state.ts';
import { usage } from '../model/aspects/usage.ts';
import { type Extent, playHistory } from '../model/play.ts';

const SEED = 20260131;

/** Weights of steps that affect usage and its price. */
const USAGE: Weights = {
  ...{ events: 10, rate: 4, subscribe: 2, pay: 2, change: 1, end: 1, resume: 1 },
};

interface Sample extends Extent {
  readonly aspects: readonly Aspect[];
  readonly histories: number;
  readonly seed: number;
  readonly weights?: Weights;
}

/** Random histories of two months and more, and what is compared after them. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'statuses, balances, grants, transactions and top-ups': {
    ...{ aspects: [state, credit], histories: 6, every: 18, seed: SEED },
  },
  'events and tasks, with subjects and costs in several currencies': {
    ...{ aspects: [usage], histories: 3, seed: SEED + 2, weights: USAGE },
  },
  'revenue, costs and margins, of all time, by period and by category': {
    ...{ aspects: [profits], histories: 3, seed: SEED + 3 },
  },
};

describe('random histories', () => {
  table<Sample>(
    'X-53',
    {
      requirement: [
        ...['R-CONV-27', 'R-CUS-20', 'R-CUS-25', 'R-EVT-16', 'R-EVT-18', 'R-EVT-19'],
        ...['R-EVT-40', 'R-EVT-53', 'R-EVT-63', 'R-EVT-65', 'R-EVT-66', 'R-EVT-67'],
        ...['R-EVT-68', 'R-EVT-73', 'R-LIM-05', 'R-PRF-02', 'R-PRF-03', 'R-PRF-11'],
        ...['R-PRF-12', 'R-PRF-13', 'R-PRF-15', 'R-PRF-16', 'R-PRF-17', 'R-PRF-18'],
        ...['R-PRF-19', 'R-SUB-25', 'R-SUB-45', 'R-SUB-47', 'R-SUB-48', 'R-SUB-50'],
        ...['R-TOP-08', 'R-TOP-14', 'R-TSK-03', 'R-TSK-04', 'R-TSK-07', 'R-TSK-08'],
        ...['R-TSK-09', 'R-TSK-10', 'R-TSK-17', 'R-TSK-18', 'R-TSK-20', 'R-VND-08'],
        ...['R-VND-09', 'R-VND-13', 'R-WAL-06', 'R-WAL-31', 'R-WAL-45', 'R-WAL-49'],
        ...['R-WAL-50', 'R-WAL-52', 'R-WAL-53', 'R-WAL-54'],
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: [
        ...['A-605', 'A-607', 'A-608', 'A-806', 'A-901', 'A-902', 'A-903', 'A-904', 'A-1001'],
      ],
      needs: 'clock.movable',
    },
    'random histories of usage, credit, plans, payments and rates over months → every fee, balance, grant, transaction, status, task and statistic equals that of a model written from the documents alone',
    SAMPLES,
    async ({ aspects, histories: numRuns, seed, weights, ...extent }, t) => {
      for (const history of fc.sample(busyHistoryArbitrary(weights), { seed, numRuns }))
        await playHistory(anOwnWorld(t), history, aspects, extent);
    },
  );
});
