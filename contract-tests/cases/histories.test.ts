import { anOwnWorld, asConnectedAccount, check, readsItself } from '../kit/index.ts';
import { type HistoryShape, historyArbitrary } from '../model/arbitrary-history.ts';
import { chosenHistory } from '../model/chosen-histories.ts';
import { disturbed } from '../model/disturb.ts';
import { DAY, HOUR } from '../model/history.ts';
import { playHistory } from '../model/play.ts';

/** What random histories are about: the usual kinds of steps by default. */
interface Theme extends Pick<HistoryShape, 'weights' | 'pauses'> {
  readonly of: string;
}

/** Pauses within the day for which a top-up can be paid. */
const SHORT = [0, HOUR, HOUR, HOUR, HOUR, 23 * HOUR, DAY];

const EVERYTHING: Theme = { of: 'usage, credit, plans, payments and rates' };
const RATES: Theme = { of: 'usage under rates that change', weights: { events: 3, rate: 2 } };
const PRICES: Theme = { of: 'usage by prices of every kind', weights: { events: 1 } };
const PLANS: Theme = {
  of: 'plans that begin, are paid, change, end and are taken up again',
  weights: {
    ...{ subscribe: 2, pay: 2, change: 2, end: 2, resume: 2, card: 1, wait: 2, events: 3 },
  },
};
const CREDIT: Theme = {
  of: 'credit that is given, drawn and ends',
  weights: { adjust: 4, charge: 3, events: 2, wait: 1 },
};
const TOP_UPS: Theme = {
  of: 'top-ups, paid at once, later, after the end of their credit or not',
  weights: { top_up: 5, settle: 8, charge: 2, events: 1 },
  pauses: SHORT,
};
const AUTOMATIC: Theme = {
  of: 'automatic top-ups',
  weights: { auto_top_up: 3, card: 2, top_up: 1, settle: 2, charge: 8, adjust: 1 },
  pauses: SHORT,
};

/** The themes by check, with the number of steps for which it has requests, and the number of customers if it is not 1. */
type Rows = Readonly<Record<string, readonly [Theme, steps: number, customers?: 2]>>;

/** Histories of the platform, whose requests stand among others. */
const AMONG_OTHERS: Rows = {
  'X-53': [EVERYTHING, 8],
  'X-60': [RATES, 7],
  'X-117': [PRICES, 4],
  'X-118': [PLANS, 14],
  'X-119': [CREDIT, 6],
  'X-107': [TOP_UPS, 13],
  'X-120': [AUTOMATIC, 14],
};

const OF_ACCOUNTS: Rows = {
  'X-123': [EVERYTHING, 4, 2],
  'X-124': [RATES, 12],
  'X-125': [PRICES, 6],
  'X-126': [PLANS, 15],
  'X-127': [CREDIT, 9],
  'X-128': [TOP_UPS, 18],
  'X-129': [AUTOMATIC, 17],
};

const SEED = 20260131;

/** `prove -- oracle` plays more and longer histories. */
for (const [rows, among] of [
  [AMONG_OTHERS, 'among rejected and repeated requests'],
  [OF_ACCOUNTS, 'of a connected account'],
] as const)
  for (const [id, [{ of, ...theme }, steps, customers = 1]] of Object.entries(rows))
    check(
      id,
      {
        requirement:
          'R-CONV-27 R-EVT-63 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-EVT-73 R-PRF-11 R-PRF-14 R-PRF-15 R-PRF-16 R-PRF-17 R-PRF-18 R-PRF-19 R-POR-06 R-SUB-45 R-SUB-47 R-SUB-48 R-SUB-50 R-TOP-14 R-TOP-19 R-WAL-06 R-WAL-45 R-WAL-49 R-WAL-50 R-WAL-52 R-WAL-53 R-WAL-54',
        effect: 'E4',
        assumes: 'A-605 A-607 A-608 A-806 A-901 A-902 A-903 A-904 A-1101 A-1106',
        needs: 'clock.movable',
      },
      `random history of ${of} over months, ${among} → every fee, balance, grant, transaction, revenue, subscription and task, in each list and detail, as a model written from the documents alone says`,
      async (t) => {
        const lengths = { minLength: steps, maxLength: steps };
        const history = historyArbitrary({ ...theme, ...lengths, customers });
        const call = anOwnWorld(t);
        const caller = rows === OF_ACCOUNTS ? await asConnectedAccount(call) : disturbed(call);
        await playHistory(caller, chosenHistory(history, SEED + Number(id.slice(2))));
        readsItself();
      },
    );
