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

/** What random histories are about: the usual kinds of steps by one customer by default. */
interface Theme extends Omit<HistoryShape, 'minLength' | 'maxLength'> {
  readonly about: string;
}

const ANYTHING: Theme = { about: 'usage, credit, plans, payments and rates' };
const OF_TWO: Theme = { about: `${ANYTHING.about} of two customers`, customers: 2 };

/** Pauses within the day for which a top-up can be paid. */
const SHORT = [0, HOUR, HOUR, HOUR, HOUR, 23 * HOUR, DAY];

const RATES: Theme = {
  about: 'usage under rates that change',
  weights: { events: 3, rate: 2 },
  morePrices: 3,
};
const PRICES: Theme = {
  about: 'usage by prices of every kind',
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
  about: 'plans that begin, are paid, change, end and are taken up again',
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
  about: 'fees that are paid late, by plans that change meanwhile',
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
  about: 'plans of long periods, whose renewals are moved',
  // One that ends before it has begun.
  opening: [
    { after: 0, action: AHEAD },
    { after: DAY, action: { ...END, pick: 2 } },
    { after: DAY, action: RESUME },
  ],
  weights: { wait: 3, move: 3, change: 2, subscribe: 1, pay: 2, events: 1, end: 1, resume: 2 },
  pauses: [DAY, 10 * DAY, 31 * DAY, 31 * DAY, 62 * DAY, 92 * DAY, 366 * DAY],
};
const CREDIT: Theme = {
  about: 'credit that is given, drawn and ends',
  weights: { adjust: 4, charge: 3, events: 2, wait: 1 },
};
const TOP_UPS: Theme = {
  about: 'top-ups, paid at once, later, late or not',
  weights: { top_up: 5, settle: 8, charge: 2, events: 1 },
  pauses: SHORT,
};
const AUTOMATIC: Theme = {
  about: 'automatic top-ups',
  weights: { auto_top_up: 3, card: 2, top_up: 1, settle: 2, charge: 8, adjust: 1 },
  pauses: SHORT,
};

/** Each history has a seed of its own. */
const seedOf = (id: string): number => 20260131 + Number(id.slice(2));

/** Who plays a history: customers of the platform or of a connected account, maybe among other requests. */
interface Players {
  readonly words: string;
  readonly caller: (t: CheckContext, seed: number) => WorldCall | Promise<WorldCall>;
}

const AMONG_OTHERS: Players = {
  words: 'among rejected and repeated requests',
  caller: (t, seed) => disturbed(anOwnWorld(t), seed),
};
const OF_ACCOUNT: Players = {
  words: 'of a connected account',
  caller: (t) => asConnectedAccount(anOwnWorld(t)),
};
const OF_ACCOUNT_AMONG_OTHERS: Players = {
  words: `${OF_ACCOUNT.words}, ${AMONG_OTHERS.words}`,
  caller: async (t, seed) => disturbed(await OF_ACCOUNT.caller(t, seed), seed),
};

/** A check of a history of as many steps as it has requests for. `prove -- oracle` plays more and longer ones. */
function historyCheck(
  id: string,
  { about, ...theme }: Theme,
  { words, caller }: Players,
  steps: number,
): void {
  check(
    id,
    {
      requirement:
        'R-CONV-27 R-EVT-63 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-EVT-73 R-PRF-11 R-PRF-14 R-PRF-15 R-PRF-16 R-PRF-17 R-PRF-18 R-PRF-19 R-POR-06 R-SUB-45 R-SUB-47 R-SUB-48 R-SUB-50 R-TOP-14 R-TOP-19 R-WAL-06 R-WAL-45 R-WAL-49 R-WAL-50 R-WAL-52 R-WAL-53 R-WAL-54',
      effect: 'E4',
      assumes: 'A-605 A-305 A-512 A-607 A-608 A-806 A-901 A-902 A-903 A-904 A-1101 A-1106',
      needs: 'clock.movable',
    },
    `random history of ${about} over months, ${words} → every fee, balance, grant, transaction, revenue, subscription and task, in each list and detail, midway and at the end, as a model written from the documents alone says`,
    async (t) => {
      const shape = { customers: 1 as const, ...theme, minLength: steps, maxLength: steps };
      const history = chosenHistory(historyArbitrary(shape), seedOf(id));
      await playHistory(await caller(t, seedOf(id)), history);
      readsItself();
    },
  );
}

historyCheck('X-53', ANYTHING, AMONG_OTHERS, 5);
historyCheck('X-60', RATES, AMONG_OTHERS, 10);
historyCheck('X-117', PRICES, AMONG_OTHERS, 6);
historyCheck('X-118', PLANS, AMONG_OTHERS, 8);
historyCheck('X-130', LATE, AMONG_OTHERS, 7);
historyCheck('X-131', PERIODS, AMONG_OTHERS, 6);
historyCheck('X-119', CREDIT, AMONG_OTHERS, 8);
historyCheck('X-107', TOP_UPS, AMONG_OTHERS, 8);
historyCheck('X-120', AUTOMATIC, AMONG_OTHERS, 13);

historyCheck('X-123', OF_TWO, OF_ACCOUNT, 4);
historyCheck('X-124', RATES, OF_ACCOUNT_AMONG_OTHERS, 12);
historyCheck('X-125', PRICES, OF_ACCOUNT, 10);
historyCheck('X-126', PLANS, OF_ACCOUNT, 12);
historyCheck('X-132', LATE, OF_ACCOUNT, 14);
historyCheck('X-133', PERIODS, OF_ACCOUNT, 10);
historyCheck('X-127', CREDIT, OF_ACCOUNT_AMONG_OTHERS, 6);
historyCheck('X-128', TOP_UPS, OF_ACCOUNT, 14);
historyCheck('X-129', AUTOMATIC, OF_ACCOUNT, 24);
