import type { ScenarioStep } from '../scenario.ts';
import { CREDIT } from './catalogue.ts';
import type { Chance } from './chance.ts';

/** A generated customer: profile, first and last day, and usage. */
export interface Customer {
  readonly index: number;
  readonly name: string;
  readonly country: string;
  readonly size: Size;
  /** Days of the population, counted from 0. */
  readonly joins: number;
  readonly leaves: number;
  readonly products: readonly string[];
  readonly hasSeat: boolean;
  /** Usage events on an average day. */
  readonly pace: number;
  /** Cost of the usage for the platform, in percent of what the customer pays. */
  readonly costPercent: number;
  /** Days between top-ups. */
  readonly topUpEvery: number;
}

/** For each size: share of customers in percent, minimum and maximum events per day, and top-up amount. */
const SIZES = {
  small: { share: 60, pace: [1, 3], dollars: 20 },
  medium: { share: 30, pace: [4, 8], dollars: 100 },
  large: { share: 10, pace: [10, 25], dollars: 500 },
} as const;

type Size = keyof typeof SIZES;

/** Generates a customer from its position in the population only. */
export function drawCustomer(chance: Chance, index: number, days: number): Customer {
  const shares = Object.values(SIZES).map(({ share }) => share);
  const size = Object.keys(SIZES)[chance.weighted(shares)] as Size;
  const [least, most] = SIZES[size].pace;
  const joins = chance.happens(40) ? 0 : chance.whole(0, Math.floor((days * 7) / 10));
  const isLoss = chance.happens(6);
  return {
    index,
    name: chance.company(),
    country: chance.country(),
    size,
    joins,
    leaves: chance.happens(6) ? chance.whole(joins, days) : days,
    products: ['chat', ...pickSome(chance, { canvas: 40, voice: 25 })],
    hasSeat: chance.happens(30),
    pace: chance.whole(least, most),
    costPercent: isLoss ? chance.whole(110, 170) : chance.whole(25, 75),
    topUpEvery: chance.whole(20, 35),
  };
}

function pickSome(chance: Chance, odds: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(odds)
    .filter(([, percent]) => chance.happens(percent))
    .map(([name]) => name);
}

const ADDRESSES = {
  return_url: 'https://shop.example/thanks',
  failure_url: 'https://shop.example/sorry',
} as const;

export const customerNameOf = ({ index }: Customer): string => `customer${index}`;

/** The steps of a customer on the first day. */
export function* joinSteps(chance: Chance, customer: Customer): Generator<ScenarioStep> {
  const name = customerNameOf(customer);
  const ordinal = String(customer.index).padStart(4, '0');
  yield {
    call: 'createCustomer',
    as: name,
    body: {
      name: customer.name,
      external_id: `population-${ordinal}`,
      email: `billing@customer-${ordinal}.example`,
      metadata: { country: customer.country, size: customer.size },
      subscriptions: customer.products.map((code) => ({ products: [{ code }] })),
    },
  };
  yield adjust(chance, name, 'USD', SIZES[customer.size].dollars, 'external_topup');
  if (chance.happens(15)) yield adjust(chance, name, CREDIT, chance.whole(2, 10) * 10, 'gift');
  if (customer.hasSeat) yield* seatSteps(chance, customer);
}

function* seatSteps(chance: Chance, customer: Customer): Generator<ScenarioStep> {
  const name = `seat${customer.index}`;
  yield {
    call: 'createSubscription',
    as: name,
    path: { customerId: `$${customerNameOf(customer)}.id` },
    body: { products: [{ code: 'workspace' }], ...ADDRESSES },
  };
  const declines_later = chance.happens(8);
  const payment_method = { kind: 'card', last4: declines_later ? '0341' : '4242', declines_later };
  if (chance.happens(93)) yield { pay: `$${name}.id`, payment_method };
  else yield { pay: `$${name}.id`, outcome: 'failed', reason: 'insufficient_funds' };
}

/** The steps of a top-up. Most of them are paid. */
export function* topUpSteps(
  chance: Chance,
  customer: Customer,
  day: number,
): Generator<ScenarioStep> {
  const as = `topUp${customer.index}on${day}`;
  yield {
    call: 'createTopUp',
    as,
    body: {
      customer_id: `$${customerNameOf(customer)}.id`,
      amount: SIZES[customer.size].dollars,
      currency: 'USD',
      ...ADDRESSES,
    },
  };
  const outcome = OUTCOMES[chance.weighted([88, 4, 5, 3])];
  if (outcome) yield { pay: `$${as}.id`, ...outcome };
}

/** Outcomes of top-ups. The others remain unpaid. */
const OUTCOMES = [
  {},
  { outcome: 'failed', reason: 'declined' },
  { outcome: 'processing' },
] as const;

/** The steps of a customer who leaves: end the first subscriptions. */
export function* leaveSteps(customer: Customer): Generator<ScenarioStep> {
  const name = customerNameOf(customer);
  for (const index of customer.products.keys())
    yield {
      call: 'updateSubscription',
      path: { customerId: `$${name}.id`, subscriptionId: `$${name}.subscriptions[${index}].id` },
      body: { status: 'inactive' },
    };
}

function adjust(
  chance: Chance,
  name: string,
  asset: string,
  amount: number,
  reason: string,
): ScenarioStep {
  const body = { transaction_id: chance.uuid(), asset, amount, reason };
  return { call: 'adjustWallet', path: { customerId: `$${name}.id` }, body };
}
