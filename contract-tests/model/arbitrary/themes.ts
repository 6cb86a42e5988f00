import fc from 'fast-check';
import { type Action, DAY, type History, HOUR } from '../history.ts';
import { type HistoryShape, historyArbitrary } from './history.ts';

/** What random histories are about: the usual kinds of steps by one customer by default. */
export interface Theme extends Omit<HistoryShape, 'minLength' | 'maxLength'> {
  readonly about: string;
}

export const ANYTHING: Theme = { about: 'usage, credit, plans, payments and rates' };
export const OF_TWO: Theme = { about: `${ANYTHING.about} of two customers`, customers: 2 };

/** Pauses within the day for which a top-up can be paid. */
const SHORT = [0, HOUR, HOUR, HOUR, HOUR, 23 * HOUR, DAY];

export const RATES: Theme = {
  about: 'usage under rates that change',
  weights: { events: 3, rate: 2 },
  morePrices: 3,
};
export const PRICES: Theme = {
  about: 'usage by prices of every kind',
  weights: { events: 4, adjust: 1 },
  // The usage is submitted a minute before midnight, and some occurs after it.
  firstPause: 12 * HOUR - 60_000,
  pauses: [0, 0, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY, 62 * DAY],
  morePrices: 10,
};
const END: Action = { do: 'end', pick: 0 };
const RESUME: Action = { do: 'resume', pick: 0 };
export const PLANS: Theme = {
  about: 'plans that begin, are paid, change, end and are taken up again',
  opening: [
    { after: DAY, action: END },
    { after: 31 * DAY, action: RESUME },
  ],
  weights: {
    subscribe: 1,
    pay: 2,
    change: 2,
    end: 2,
    resume: 3,
    card: 1,
    wait: 1,
    events: 2,
    move: 2,
  },
  morePrices: 3,
};
const NO_CARD: Action = { do: 'card', method: 'none' };
const ON_ITS_WAY: Action = { do: 'pay', pick: 0, outcome: 'processing', declines: false };
export const LATE: Theme = {
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
export const PERIODS: Theme = {
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
export const CREDIT: Theme = {
  about: 'credit that is given, drawn and ends',
  weights: { adjust: 4, charge: 3, events: 2, wait: 1 },
};
export const TOP_UPS: Theme = {
  about: 'top-ups, paid at once, later, late or not',
  weights: { top_up: 5, settle: 8, charge: 2, events: 1, rate: 1 },
  pauses: SHORT,
};
export const AUTOMATIC: Theme = {
  about: 'automatic top-ups',
  weights: { auto_top_up: 3, card: 2, top_up: 1, settle: 2, charge: 8, adjust: 1 },
  pauses: SHORT,
};
export const TIES: Theme = {
  about: 'renewals, payments, credit and rates that are due at one instant',
  weights: {
    wait: 2,
    top_up: 3,
    settle: 4,
    adjust: 3,
    charge: 2,
    auto_top_up: 2,
    card: 2,
    pay: 2,
    subscribe: 1,
    rate: 2,
    events: 1,
    change: 1,
    end: 1,
    resume: 1,
  },
  pauses: [0, 0, 0, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY],
};

/** The history of a theme, of so many steps after its opening, that a seed makes. */
export function historyOf({ about: _, ...shape }: Theme, steps: number, seed: number): History {
  const lengths = { minLength: steps, maxLength: steps };
  const arbitrary = historyArbitrary({ customers: 1, ...shape, ...lengths });
  return fc.sample(arbitrary, { seed, numRuns: 1 })[0] as History;
}
