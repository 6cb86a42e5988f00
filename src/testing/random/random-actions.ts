import fc from 'fast-check';
import { type AnyBody, TEST_NOW } from '../client.ts';

export interface LifeAction {
  readonly kind: keyof typeof BODIES;
  /** Index of the customer. */
  readonly customer: number;
  /** Its ids are derived from it. Actions on a customer with the same number are retries. */
  readonly number: number;
  readonly body: AnyBody;
}

const ASSETS = ['USD', 'EUR', 'CREDIT', 'CREDIT', 'POINT'] as const;

/** An amount with the decimals of its asset, often small. */
function amountOf(asset: string): fc.Arbitrary<number> {
  const places = { USD: 10, EUR: 10, CREDIT: 0, POINT: 3 }[asset] ?? 0;
  const large = fc.integer({ min: 1, max: 200 });
  return places === 0
    ? large
    : fc.oneof(
        large,
        fc.integer({ min: 1, max: 99_999 }).map((units) => Number(`${units}e-${places}`)),
        fc.integer({ min: 1, max: 99_999 }).map((units) => units / 1000),
      );
}

const asset = fc.constantFrom(...ASSETS);
const account_name = fc.constantFrom(undefined, 'default', 'reserve');

const adjustment = fc
  .record({
    asset,
    account_name,
    kind: fc.constantFrom('external_topup', 'gift', 'gift', 'external_refund', 'other'),
    isDebit: fc.integer({ min: 0, max: 3 }).map((each) => each === 0),
    days: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    effect: fc.constantFrom(undefined, undefined, undefined, 'past', 'future'),
  })
  .chain(({ asset, account_name, kind, isDebit, days, effect }) =>
    amountOf(asset).map((amount) => ({
      asset,
      account_name,
      reason: kind,
      amount: isDebit ? -amount : amount,
      ...(!isDebit && { days, effect }),
    })),
  );

const charge = fc.oneof(
  asset.chain((code) => amountOf(code).map((amount) => ({ asset: code, amount }))),
  fc
    .record({
      unit_price: fc.constantFrom(0, 0.1, 0.0005),
      input_units: fc.integer({ min: 1, max: 9 }),
      packages: fc.integer({ min: 0, max: 9 }),
      volume_rate: fc.constantFrom(0.01, 1.5),
      package_size: fc.constantFrom(1, 3, 1000),
    })
    .map(({ packages, ...parts }) => ({
      ...parts,
      asset: 'USD',
      input_volume: packages * parts.package_size,
      // In whole ten-thousandths, so that the sum is exact.
      amount:
        Math.round(
          1e4 * parts.unit_price * parts.input_units + 1e4 * parts.volume_rate * packages,
        ) / 1e4,
    })),
);

const usage = fc.record({
  event_type: fc.constantFrom('llm', 'llm', 'llm', 'call', 'image', 'other'),
  days: fc.integer({ min: 0, max: 30 }),
  subject: fc.constantFrom('task-1', 'task-2', null),
  data: fc.record({
    model: fc.constantFrom('a', 'b'),
    n: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(-1, 0.5, 'many')),
  }),
  cost: fc.constantFrom(undefined, 0, 0.003, 1.25),
});

const rate = fc.record({
  asset: fc.constantFrom('CREDIT', 'POINT', 'EUR'),
  rate: fc.record({
    source: fc.constant('USD'),
    rate: fc.constantFrom(0.05, 1.1, 3),
    valid_from: fc.integer({ min: -40, max: 10 }).map(daysFromStart),
  }),
});

/** The numbers that determine an action, so that it can be shrunk. */
export type Dice = readonly [number, number, number];
const dice: fc.Arbitrary<Dice> = fc.tuple(fc.nat(9_999), fc.nat(9_999), fc.nat(9_999));

const BODIES = {
  adjust: adjustment,
  charge,
  use: fc.array(usage, { minLength: 1, maxLength: 8 }),
  rate,
  status: fc.record({ which: fc.nat(99), status: fc.constantFrom('inactive', 'active') }),
  change: fc.record({ which: fc.nat(99), version: fc.constantFrom(1, 2) }),
  wait: fc.record({ hours: fc.constantFrom(1, 100, 1000) }),
  subscribe: dice,
  settle: dice,
  renew: dice,
  topUp: dice,
  topUpAutomatically: dice,
  settleTopUp: dice,
} as const;

type Kinds = readonly LifeAction['kind'][];

/** Frequency of each kind of action that moves money between wallets and usage, on a frozen clock. */
export const MONEY_ACTIONS = [
  ...(['adjust', 'adjust', 'adjust', 'charge', 'use', 'use', 'use'] as const),
  ...(['rate', 'status', 'change'] as const),
] as const satisfies Kinds;

/** Frequency of each kind of action on a customer. */
const CUSTOMER_ACTIONS = [
  ...(['subscribe', 'settle', 'status', 'status', 'renew', 'change', 'adjust'] as const),
  ...(['charge', 'charge', 'use', 'topUp', 'topUpAutomatically', 'settleTopUp'] as const),
] as const satisfies Kinds;

const actionOf = (kinds: Kinds): fc.Arbitrary<LifeAction> =>
  fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      customer: fc.constantFrom(0, 1),
      number: fc.nat(9_999_999),
      body: BODIES[kind] as fc.Arbitrary<AnyBody>,
    }),
  );

export const aCustomerAction = actionOf(CUSTOMER_ACTIONS);

/** A list of actions of some kinds, each numbered by its place. */
export const someActions = (
  length: number,
  kinds: Kinds = MONEY_ACTIONS,
): fc.Arbitrary<LifeAction[]> =>
  fc
    .array(actionOf(kinds), { minLength: length, maxLength: length })
    .map((actions) => actions.map((each, number) => ({ ...each, number })));

function daysFromStart(days: number): string {
  return new Date(Date.parse(TEST_NOW) + days * 86_400_000).toISOString();
}
