import fc from 'fast-check';
import { anOwnWorld, type CheckContext, check, describe } from '../kit/index.ts';
import type { Weights } from '../model/arbitrary-action.ts';
import { busyHistoryArbitrary } from '../model/arbitrary-history.ts';
import { ASPECTS } from '../model/aspects/all.ts';
import type { Aspect } from '../model/aspects/aspect.ts';
import { catalog } from '../model/aspects/catalog.ts';
import { credit } from '../model/aspects/credit.ts';
import { destinations } from '../model/aspects/destinations.ts';
import { harmless } from '../model/aspects/harmless.ts';
import { lists } from '../model/aspects/lists.ts';
import { profits } from '../model/aspects/profits.ts';
import { state } from '../model/aspects/state.ts';
import { usage } from '../model/aspects/usage.ts';
import { webhookLog } from '../model/aspects/webhook-log.ts';
import { type Extent, playHistory } from '../model/play.ts';

const SEED = 20260131;

/** Weights of steps that affect usage and its price. */
const USAGE: Weights = {
  ...{ events: 10, rate: 4, subscribe: 2, pay: 2, change: 1, end: 1, resume: 1, update: 1 },
};

/** Weights of steps that change what later steps depend on. */
const CHANGES: Weights = {
  ...{ events: 6, adjust: 3, charge: 2, top_up: 2, subscribe: 2, pay: 2, change: 1 },
  ...{ update: 2, rate: 5, archive: 2, default: 2, edit: 2 },
};

/** Weights of steps that change product versions and who is subscribed to them. */
const VERSIONS: Weights = {
  ...{ edit: 5, default: 2, archive: 2, subscribe: 4, change: 3, pay: 3, events: 4, simulate: 2 },
};

/** Weights of steps that add credit. */
const CREDIT: Weights = { top_up: 8, adjust: 3, events: 3, charge: 1, subscribe: 1, wait: 3 };

/** Weights of steps that affect the webhook log. */
const WEBHOOKS: Weights = {
  ...{ hook: 1.5, toggle: 4, remove: 1, test: 4, subscribe: 2, pay: 2, end: 1, resume: 1 },
};

describe('random histories', () => {
  check(
    'X-53',
    {
      requirement: [
        'R-CUS-20',
        'R-CUS-25',
        'R-EVT-63',
        'R-EVT-65',
        'R-EVT-66',
        'R-EVT-67',
        'R-EVT-68',
        'R-LIM-05',
        'R-PRF-19',
        'R-SUB-25',
        'R-SUB-45',
        'R-SUB-47',
        'R-SUB-48',
        'R-SUB-50',
        'R-TOP-08',
        'R-TOP-14',
        'R-WAL-06',
        'R-WAL-31',
        'R-WAL-45',
        'R-WAL-49',
        'R-WAL-50',
        'R-WAL-52',
        'R-WAL-53',
        'R-WAL-54',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-605', 'A-607', 'A-608', 'A-902', 'A-903'],
      needs: 'clock.movable',
    },
    'random histories of usage, credit, plans, payments and rates over months → every fee, balance, grant, transaction, status and revenue equals that of a model written from the documents alone',
    (t) => play(t, [state, credit], { histories: 10, every: 18 }),
  );

  check(
    'X-60',
    {
      requirement: [
        'R-CUS-22',
        'R-CUS-26',
        'R-CUS-28',
        'R-CUS-30',
        'R-CUS-38',
        'R-CUS-39',
        'R-EVT-41',
        'R-EVT-42',
        'R-EVT-43',
        'R-EVT-44',
        'R-EVT-54',
        'R-LIM-10',
        'R-PAGE-03',
        'R-PAGE-04',
        'R-PAGE-05',
        'R-PRD-25',
        'R-PRD-27',
        'R-TSK-12',
        'R-TSK-13',
        'R-VND-04',
        'R-WAL-22',
        'R-WAL-23',
        'R-WAL-24',
        'R-WAL-25',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-305', 'A-602', 'A-704', 'A-806', 'A-1001'],
      needs: 'clock.movable',
    },
    'lists after random histories, by each parameter, each pair of them and pages of any size → the matching items of the whole list, in its order, with their count',
    async (t) => {
      await play(t, [lists], { histories: 3, seed: 1 });
      await play(t, [lists, credit], { histories: 1, seed: 9, weights: CREDIT });
    },
  );

  check(
    'X-61',
    {
      requirement: [
        'R-EVT-16',
        'R-EVT-18',
        'R-EVT-19',
        'R-EVT-40',
        'R-EVT-53',
        'R-EVT-73',
        'R-PRF-12',
        'R-TSK-03',
        'R-TSK-04',
        'R-TSK-07',
        'R-TSK-08',
        'R-TSK-09',
        'R-TSK-10',
        'R-TSK-17',
        'R-TSK-18',
        'R-TSK-20',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-806', 'A-901', 'A-1001'],
      needs: 'clock.movable',
    },
    'usage of random histories, with subjects and costs in several currencies → every event in the list, and every task with its statistics, events and vendors, equals that of the model',
    (t) => play(t, [usage], { histories: 4, seed: 2, weights: USAGE }),
  );

  check(
    'X-62',
    {
      requirement: [
        'R-CONV-27',
        'R-EVT-73',
        'R-PRF-02',
        'R-PRF-03',
        'R-PRF-11',
        'R-PRF-12',
        'R-PRF-13',
        'R-PRF-15',
        'R-PRF-16',
        'R-PRF-17',
        'R-PRF-18',
        'R-VND-08',
        'R-VND-09',
        'R-VND-13',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-901', 'A-903', 'A-904'],
      needs: 'clock.movable',
    },
    'revenue, costs and margins after random histories, of all time, by period and by category → those of every customer, vendor and summary equal those of the model, in the same order',
    (t) => play(t, [profits], { histories: 4, seed: 3 }),
  );

  check(
    'X-63',
    {
      requirement: [
        'R-AST-15',
        'R-AST-20',
        'R-AST-23',
        'R-AST-29',
        'R-AST-38',
        'R-AST-42',
        'R-CUS-11',
        'R-CUS-42',
        'R-EVT-07',
        'R-EVT-48',
        'R-EVT-49',
        'R-PAGE-06',
        'R-PRD-21',
        'R-PRD-36',
        'R-PRD-47',
        'R-PRD-48',
        'R-PRD-50',
        'R-SUB-33',
        'R-VER-05',
        'R-WAL-34',
        'R-WAL-35',
        'R-WAL-39',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-707', 'A-801', 'A-802'],
      needs: 'clock.movable',
    },
    'within random histories, repeated requests with the same and with other content, and requests that must be rejected → the documented response, and nothing else changes',
    async (t) => {
      const aspects = [harmless, state, catalog, credit, usage];
      await play(t, aspects, { histories: 3, every: 12, seed: 4, weights: CHANGES });
      await play(t, aspects, { histories: 2, every: 12, seed: 10, weights: VERSIONS });
    },
  );

  check(
    'X-64',
    {
      requirement: [
        'R-PAGE-08',
        'R-PAGE-09',
        'R-SUB-24',
        'R-SUB-34',
        'R-WHK-06',
        'R-WHK-09',
        'R-WHK-11',
        'R-WHK-18',
        'R-WHK-23',
        'R-WHK-25',
        'R-WHK-26',
        'R-WHK-27',
        'R-WHK-35',
        'R-WHK-37',
        'R-WHK-40',
        'R-WHK-41',
        'R-WHK-46',
        'R-WHK-52',
        'R-WHK-54',
        'R-WHK-56',
        'R-WHK-57',
        'R-WHK-61',
      ],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-104', 'A-1204', 'A-1205', 'A-1207', 'A-1211', 'A-1212'],
      needs: 'clock.movable',
    },
    'the webhook log and the destinations after random histories in which they respond, do not respond, are disabled, enabled and removed, also of a live account next to a connected one → each activation and test with its deliveries, by each filter and page, as in the model',
    async (t) => {
      const aspects = [destinations, webhookLog];
      await play(t, aspects, { histories: 4, seed: 6, weights: WEBHOOKS });
      const beside = { histories: 2, weights: WEBHOOKS, isTwofold: true };
      await play(t, aspects, { ...beside, seed: 11, environment: 'live' });
    },
  );

  check(
    'X-65',
    {
      requirement: ['R-ACC-11', 'R-ACC-17', 'R-AST-05', 'R-EVT-07'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-104',
      needs: 'clock.movable',
    },
    'the same random history on the platform and in a connected account, with the same codes and ids, and an asset of other precision → all of each equals that of a model of it alone',
    (t) => play(t, ASPECTS, { histories: 1, seed: 8, isTwofold: true, weights: CHANGES }),
  );
});

interface Sample extends Extent {
  readonly histories: number;
  readonly seed?: number;
  readonly weights?: Weights;
  readonly environment?: 'live';
}

async function play(t: CheckContext, aspects: readonly Aspect[], sample: Sample): Promise<void> {
  const { histories: numRuns, seed = 0, weights, environment, ...extent } = sample;
  const arbitrary = busyHistoryArbitrary(weights);
  for (const history of fc.sample(arbitrary, { seed: SEED + seed, numRuns }))
    await playHistory(anOwnWorld(t, environment), history, aspects, extent);
}
