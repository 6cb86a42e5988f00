import {
  anOwnWorld,
  asConnectedAccount,
  type CheckContext,
  check,
  readsItself,
  type WorldCall,
} from '../kit/index.ts';
import { chosenHistory } from '../model/arbitrary/chosen-histories.ts';
import { type HistoryShape, historyArbitrary } from '../model/arbitrary/history.ts';
import { disturbed } from '../model/disturb.ts';
import { type Action, DAY, HOUR } from '../model/history.ts';
import { playHistory } from '../model/play.ts';

/** What random histories are about: the usual kinds of steps by default. */
type Theme = Pick<
  HistoryShape,
  'weights' | 'pauses' | 'opening' | 'firstPause' | 'morePrices' | 'simulates'
>;

/** Pauses within the day for which a top-up can be paid. */
const SHORT = [0, HOUR, HOUR, HOUR, HOUR, 23 * HOUR, DAY];

const RATES: Theme = { weights: { events: 3, rate: 2 }, morePrices: 3 };
const PRICES: Theme = {
  weights: { events: 4, adjust: 1 },
  // The usage is submitted a minute before midnight, and some occurs after it.
  firstPause: 12 * HOUR - 60_000,
  pauses: [0, 0, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY, 62 * DAY],
  morePrices: 10,
  simulates: true,
};
const END: Action = { do: 'end', pick: 0 };
const RESUME: Action = { do: 'resume', pick: 0 };
const PLANS: Theme = {
  opening: [
    { after: DAY, action: END },
    { after: 31 * DAY, action: RESUME },
  ],
  weights: {
    ...{ subscribe: 1, pay: 2, change: 2, end: 2, resume: 3, card: 1, wait: 1, events: 2, move: 2 },
  },
  morePrices: 3,
};
const NO_CARD: Action = { do: 'card', method: 'none' };
const ON_ITS_WAY: Action = { do: 'pay', pick: 0, outcome: 'processing', declines: false };
const LATE: Theme = {
  // Renewals are not paid until a step does.
  opening: [
    { after: 0, action: NO_CARD },
    { after: 31 * DAY, action: ON_ITS_WAY },
  ],
  weights: { pay: 4, change: 3, wait: 1, events: 2, card: 1, end: 2, resume: 2, move: 1 },
  pauses: [0, HOUR, HOUR, DAY, 7 * DAY, 31 * DAY, 62 * DAY],
};
const AHEAD: Action = { do: 'subscribe', version: 0, others: [], starts: 7 * DAY };
const PERIODS: Theme = {
  // One that ends before it has begun.
  opening: [
    { after: 0, action: AHEAD },
    { after: DAY, action: { ...END, pick: 2 } },
    { after: DAY, action: RESUME },
  ],
  weights: { wait: 3, move: 3, change: 2, subscribe: 1, pay: 2, events: 1, end: 1, resume: 2 },
  pauses: [DAY, 10 * DAY, 31 * DAY, 31 * DAY, 62 * DAY, 92 * DAY, 366 * DAY],
};
const CREDIT: Theme = { weights: { adjust: 4, charge: 3, events: 2, wait: 1 } };
const TOP_UPS: Theme = {
  weights: { top_up: 5, settle: 8, charge: 2, events: 1 },
  pauses: SHORT,
};
const AUTOMATIC: Theme = {
  weights: { auto_top_up: 3, card: 2, top_up: 1, settle: 2, charge: 8, adjust: 1 },
  pauses: SHORT,
};

/** Each history has a seed of its own. */
const seedOf = (id: string): number => 20260131 + Number(id.slice(2));

type CallerOf = (t: CheckContext) => WorldCall | Promise<WorldCall>;

/** A check of a history of as many steps as it has requests for. `prove -- oracle` plays more and longer ones. */
function historyCheck(id: string, about: string, shape: HistoryShape, callerOf: CallerOf): void {
  check(
    id,
    {
      requirement:
        'R-CONV-27 R-EVT-63 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-EVT-73 R-PRF-11 R-PRF-14 R-PRF-15 R-PRF-16 R-PRF-17 R-PRF-18 R-PRF-19 R-POR-06 R-SUB-45 R-SUB-47 R-SUB-48 R-SUB-50 R-TOP-14 R-TOP-19 R-WAL-06 R-WAL-45 R-WAL-49 R-WAL-50 R-WAL-52 R-WAL-53 R-WAL-54',
      effect: 'E4',
      assumes: 'A-605 A-305 A-512 A-607 A-608 A-806 A-901 A-902 A-903 A-904 A-1101 A-1106',
      needs: 'clock.movable',
    },
    `random history of ${about} → every fee, balance, grant, transaction, revenue, subscription and task, in each list and detail, midway and at the end, as a model written from the documents alone says`,
    async (t) => {
      const history = chosenHistory(historyArbitrary(shape), seedOf(id));
      await playHistory(await callerOf(t), history);
      readsItself();
    },
  );
}

/** Of one customer of the platform, whose requests stand among others that must change nothing. */
const amongOthers = (id: string, about: string, steps: number, theme: Theme = {}): void =>
  historyCheck(
    id,
    `${about} over months, among rejected and repeated requests`,
    { ...theme, minLength: steps, maxLength: steps, customers: 1 },
    (t) => disturbed(anOwnWorld(t), seedOf(id)),
  );

/** Of customers of a connected account. */
const ofAccount = (
  id: string,
  about: string,
  steps: number,
  theme: Theme & Pick<HistoryShape, 'customers'> = {},
): void =>
  historyCheck(
    id,
    `${about} over months, of a connected account`,
    { customers: 1, ...theme, minLength: steps, maxLength: steps },
    (t) => asConnectedAccount(anOwnWorld(t)),
  );

amongOthers('X-53', 'usage, credit, plans, payments and rates', 5);
amongOthers('X-60', 'usage under rates that change', 10, RATES);
amongOthers('X-117', 'usage by prices of every kind', 6, PRICES);
amongOthers('X-118', 'plans that begin, are paid, change, end and are taken up again', 8, PLANS);
amongOthers('X-130', 'fees that are paid late, by plans that change meanwhile', 7, LATE);
amongOthers('X-131', 'plans of long periods, whose renewals are moved', 6, PERIODS);
amongOthers('X-119', 'credit that is given, drawn and ends', 8, CREDIT);
amongOthers('X-107', 'top-ups, paid at once, later, late or not', 8, TOP_UPS);
amongOthers('X-120', 'automatic top-ups', 13, AUTOMATIC);

/** The same, whose requests stand among others that must change nothing. */
const ofAccountAmongOthers = (id: string, about: string, steps: number, theme: Theme): void =>
  historyCheck(
    id,
    `${about} over months, of a connected account, among rejected and repeated requests`,
    { ...theme, minLength: steps, maxLength: steps, customers: 1 },
    async (t) => disturbed(await asConnectedAccount(anOwnWorld(t)), seedOf(id)),
  );

ofAccount('X-123', 'usage, credit, plans, payments and rates of two customers', 4, {
  customers: 2,
});
ofAccountAmongOthers('X-124', 'usage under rates that change', 12, RATES);
ofAccount('X-125', 'usage by prices of every kind', 10, PRICES);
ofAccount('X-126', 'plans that begin, are paid, change, end and are taken up again', 12, PLANS);
ofAccount('X-132', 'fees that are paid late, by plans that change meanwhile', 14, LATE);
ofAccount('X-133', 'plans of long periods, whose renewals are moved', 10, PERIODS);
ofAccountAmongOthers('X-127', 'credit that is given, drawn and ends', 6, CREDIT);
ofAccount('X-128', 'top-ups, paid at once, later, late or not', 14, TOP_UPS);
ofAccount('X-129', 'automatic top-ups', 24, AUTOMATIC);
