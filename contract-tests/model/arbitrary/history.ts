import fc from 'fast-check';
import {
  type Action,
  type ActionContents,
  type ActionKind,
  DAY,
  type EventSketch,
  type History,
  HOUR,
  LONG_CODE,
  type Step,
} from '../history.ts';
import { OPENINGS, withRenewal } from './openings.ts';
import { drawn } from './price.ts';
import { ASSETS, addOnArbitrary, productArbitrary } from './product.ts';

/** The number of products. */
const PRODUCTS = 3;

const asset = fc.constantFrom(...ASSETS);
const version = fc.nat(2);
const pick = fc.nat(2);
const accountName = fc.constantFrom(undefined, undefined, undefined, 'other');

/** Volumes of events, valid and invalid for a price by volume. */
const VOLUMES = [0, 1, 1, 2, 3, 5, 0.5, 2.5, 10, 100, -1, 'x', undefined];

/** Events now, in the past and in the near future, with valid and invalid volumes. */
const event: fc.Arbitrary<EventSketch> = drawn({
  event_type: fc.constantFrom('e', 'e', 'e', 'f'),
  ago: fc.constantFrom(0, 0, 0, 1, HOUR, DAY, 7 * DAY, 28 * DAY, 240_000, -240_000),
  data: drawn({
    v: fc.constantFrom(...VOLUMES),
    m: fc.constantFrom(undefined, 'a', 'b'),
    n: fc.constantFrom<(string | number | undefined)[]>(undefined, 1, '2'),
  }),
});

const events = fc.array(event, { minLength: 1, maxLength: 4 });

const adjust: fc.Arbitrary<ActionContents['adjust']> = drawn({
  asset,
  amount: fc.constantFrom(1, 5, 10, 30, -1, -5, -20),
  account_name: accountName,
  reason: fc.constantFrom<'external_topup' | 'external_refund' | 'gift' | 'other'>(
    ...(['external_topup', 'external_refund', 'gift', 'other'] as const),
  ),
  // Paid credit that was effective so long ago has ended.
  effective: fc.constantFrom(undefined, undefined, 0, -DAY, -400 * DAY, DAY, 7 * DAY),
  lasts: fc.constantFrom(undefined, undefined, DAY, 7 * DAY, 31 * DAY),
}).map(({ effective, lasts, ...given }) =>
  given.amount < 0
    ? given
    : { ...given, ...(effective !== undefined && { effective }), ...(lasts && { lasts }) },
);

const OUTCOMES = ['succeeded', 'succeeded', 'failed', 'processing', 'abandoned'] as const;

const topUp: fc.Arbitrary<ActionContents['top_up']> = drawn({
  amount: fc.constantFrom(1, 10, 0.1),
  currency: fc.constantFrom('USD', 'EUR'),
  target: asset,
  exchange_rate: fc.constantFrom(0.05, 0.3, 2, undefined, undefined),
  account_name: accountName,
  lasts: fc.constantFrom(undefined, HOUR, HOUR, 7 * DAY),
  // Most are paid by a later step.
  outcome: fc.option(fc.constantFrom('failed', ...OUTCOMES), { nil: undefined, freq: 1 }),
}).map(({ target, exchange_rate, ...given }) => {
  const into = given.currency === 'EUR' && target === 'USD' ? 'CR' : target;
  const isAsked = into !== given.currency && exchange_rate !== undefined;
  return { ...given, asset: into, ...(isAsked && { exchange_rate }) };
});

/** The arbitrary contents of each kind of step. */
const CONTENTS: { readonly [K in ActionKind]: fc.Arbitrary<ActionContents[K]> } = {
  wait: fc.constant({}),
  events: events.map((given) => ({ events: given })),
  adjust,
  top_up: topUp,
  charge: drawn({
    asset,
    amount: fc.constantFrom(0, 1, 5, 30),
    account_name: accountName,
  }),
  subscribe: drawn({
    version,
    others: fc.array(version, { maxLength: PRODUCTS - 1 }),
    starts: fc.constantFrom(undefined, undefined, DAY, 7 * DAY),
    renews: fc.constantFrom(undefined, undefined, undefined, DAY, 40 * DAY),
  }),
  pay: fc.record({ pick, outcome: fc.constantFrom(...OUTCOMES), declines: fc.boolean() }),
  settle: fc.record({ pick, outcome: fc.constantFrom(...OUTCOMES) }),
  auto_top_up: drawn({
    // Others may have no rate.
    asset: fc.constantFrom('USD', 'CR'),
    account_name: accountName,
    threshold: fc.constantFrom<(number | null)[]>(0, 1, 5, 20, 20, null),
    amount: fc.constantFrom(1, 10),
    currency: fc.constantFrom('USD', 'EUR'),
  }).map(({ currency, ...given }) => ({
    ...given,
    currency: given.asset === 'USD' ? 'USD' : currency,
  })),
  card: fc.record({
    // A payment by a customer saves a card.
    method: fc.constantFrom(
      ...(['card', 'bank_debit', 'bank_debit', 'declining', 'none'] as const),
    ),
  }),
  move: fc.record({ pick, to: fc.constantFrom(1, 3 * DAY, 45 * DAY) }),
  end: fc.record({ pick }),
  resume: fc.record({ pick }),
  change: fc.record({ pick, version }),
  rate: drawn({
    asset: fc.constantFrom('CR', LONG_CODE, 'EUR'),
    source: fc.constantFrom('USD', 'USD', 'EUR'),
    rate: fc.constantFrom(0.1, 0.3, 1.2),
    from: fc.constantFrom(undefined, -7 * DAY, DAY, 120_000),
    lasts: fc.constantFrom(undefined, undefined, DAY, 31 * DAY),
  }).map(({ source, ...given }) => ({
    ...given,
    source: given.asset === 'EUR' ? 'USD' : source,
  })),
};

/** How often each kind of step occurs, relative to the others. */
type Weights = Readonly<Partial<Record<ActionKind, number>>>;

const USUAL: Weights = {
  wait: 2,
  events: 9,
  adjust: 3,
  top_up: 2,
  charge: 1,
  rate: 1,
  subscribe: 2,
  pay: 3,
  card: 1,
  end: 1,
  resume: 1,
  change: 1,
  settle: 1,
  auto_top_up: 1,
  move: 1,
};

/** An arbitrary action, of the usual kinds by default. */
const actionArbitrary = (weights: Weights = USUAL): fc.Arbitrary<Action> =>
  fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight: 4 * weight,
      arbitrary: CONTENTS[kind as ActionKind].map(
        (content) => ({ do: kind, ...content }) as Action,
      ),
    })),
  );

/** How much time passes before a step, in milliseconds. */
const PAUSES = [0, 0, 1, HOUR, DAY, DAY, 7 * DAY, 28 * DAY, 31 * DAY, 62 * DAY] as const;

const stepArbitrary = ({ weights, pauses = PAUSES, customers = 2 }: HistoryShape) =>
  fc.record<Step>({
    after: fc.constantFrom(...pauses),
    customer: fc.nat(customers - 1),
    product: fc.nat(PRODUCTS - 1),
    action: actionArbitrary(weights),
  });

/** The kind of random histories; all but these steps follow first ones that activate subscriptions. */
export interface HistoryShape {
  /** The usual kinds of steps by default. */
  readonly weights?: Weights;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pauses?: readonly number[];
  /** The pause before the first of the steps, if it is none of those. */
  readonly firstPause?: number;
  readonly customers?: 1 | 2;
  /** What the first customer does after the first steps. */
  readonly opening?: readonly Pick<Step, 'after' | 'action'>[];
  /** How many usage prices each version has besides the usual one or two. */
  readonly morePrices?: number;
}

const usd = (rate: number) => ({ source: 'USD', rate });

const CREDITS = { code: 'CR', precision: 0, rates: [usd(0.1), { source: 'EUR', rate: 0.08 }] };

/** Histories with few values that often collide: equal instants, ties, zeros, bounds of tiers. */
export function historyArbitrary(shape: HistoryShape = {}): fc.Arbitrary<History> {
  const { weights = USUAL, minLength = 1, maxLength = 30, customers = 2, opening = [] } = shape;
  const { morePrices = 0, firstPause } = shape;
  const product = productArbitrary(morePrices);
  // Others than the first ones are of use where steps can choose them.
  const versions = weights.subscribe || weights.change ? undefined : 1;
  return fc
    .record({
      // The second February has 29 days.
      start: fc.constantFrom(...[2026, 2028].map((year) => Date.UTC(year, 0, 31, 12))),
      precision: fc.constantFrom(0, 1, 2, 10),
      rates: fc.constantFrom(
        [],
        [usd(0.3)],
        [usd(0.0000000007)],
        [{ source: 'USD', inverse_rate: 3 }],
      ),
      euros: fc.constantFrom([], [{ code: 'EUR', precision: 2, rates: [usd(2)] }]),
      products: fc.tuple(product, product, addOnArbitrary(morePrices)),
      // Of the first renewals of the opening subscriptions.
      renews: fc.constantFrom(undefined, undefined, DAY, 40 * DAY),
      steps: fc.array(stepArbitrary(shape), { minLength, maxLength, size: 'max' }),
    })
    .map(({ start, precision, rates, euros, products, renews, steps }) => ({
      start,
      assets: [CREDITS, { code: LONG_CODE, precision, rates }, ...euros],
      products: products.map((all) => all.slice(0, versions)),
      customers,
      steps: [
        ...OPENINGS.slice(0, customers)
          .flat()
          .map((step) => withRenewal(step, renews)),
        ...opening.map((taken) => ({ customer: 0, product: 0, ...taken })),
        ...steps.map((step, index) =>
          index === 0 ? { ...step, after: firstPause ?? step.after } : step,
        ),
      ],
    }));
}
