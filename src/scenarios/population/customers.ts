import type { ScenarioStep } from '../scenario.ts';
import { CREDIT } from './catalogue.ts';
import type { Chance } from './chance.ts';

/** A customer as they are drawn: who they are, when they come and go, what they use. */
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
  /** Usage events on an ordinary day. */
  readonly pace: number;
  /** What their usage costs the platform, in hundredths of what they pay. */
  readonly costPercent: number;
  /** Days between top-ups. */
  readonly topUpEvery: number;
}

/** How many customers in a hundred are of a size, their pace from least to most, and what they top up. */
const SIZES = {
  small: { share: 60, pace: [1, 3], dollars: 20 },
  medium: { share: 30, pace: [4, 8], dollars: 100 },
  large: { share: 10, pace: [10, 25], dollars: 500 },
} as const;

type Size = keyof typeof SIZES;

/** Draws who a customer is, from their place in the population alone. */
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

/** What a customer does on the day they join. */
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

/** A top-up, most of them paid. */
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

/** What becomes of top-ups; the rest is left unpaid. */
const OUTCOMES = [
  {},
  { outcome: 'failed', reason: 'declined' },
  { outcome: 'processing' },
] as const;

/** A customer who leaves ends what they subscribed to at the start. */
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
