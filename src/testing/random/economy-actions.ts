import fc from 'fast-check';
import { type AnyBody, TEST_NOW } from '../client.ts';

/** What is done to a customer of the economy. */
export interface EconomyAction {
  readonly kind: 'adjust' | 'charge' | 'use' | 'rate' | 'stop' | 'upgrade' | 'wait';
  /** Which of the two customers it is done to. */
  readonly customer: 0 | 1;
  /** Makes its ids; deeds with the same number are retries. */
  readonly number: number;
  readonly body: AnyBody;
}

const ASSETS = ['USD', 'EUR', 'CREDIT', 'POINT'] as const;

/** An amount with the decimals of its asset, small ones among them. */
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
  fc.record({
    asset,
    unit_price: fc.constantFrom(0, 0.1, 0.0005),
    input_units: fc.integer({ min: 1, max: 9 }),
    input_volume: fc.integer({ min: 0, max: 1000 }),
    volume_rate: fc.constantFrom(0.01, 1.5),
    package_size: fc.constantFrom(1, 3, 1000),
  }),
);

const usage = fc.record({
  event_type: fc.constantFrom('llm', 'llm', 'image', 'other'),
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

const bodies = {
  adjust: adjustment,
  charge,
  use: fc.array(usage, { minLength: 1, maxLength: 8 }),
  rate,
  stop: fc.constantFrom({ status: 'inactive' }, { status: 'active' }),
  upgrade: fc.constantFrom({ version: 1 }, { version: 2 }),
  wait: fc.record({ hours: fc.constantFrom(1, 100, 1000) }),
} as const;

/** How often each kind is done, with the clock standing still. */
export const ECONOMY_ACTIONS = [
  'adjust',
  'adjust',
  'adjust',
  'charge',
  'use',
  'use',
  'use',
  'rate',
  'stop',
  'upgrade',
] as const;

/** A list of deeds of some kinds, each numbered by its place. */
export function someActions(
  length: number,
  kinds: readonly EconomyAction['kind'][] = ECONOMY_ACTIONS,
): fc.Arbitrary<EconomyAction[]> {
  const deed = fc
    .constantFrom(...kinds)
    .chain((kind) =>
      fc.record({ kind: fc.constant(kind), customer: fc.constantFrom(0, 1), body: bodies[kind] }),
    );
  return fc
    .array(deed, { minLength: length, maxLength: length })
    .map((deeds) => deeds.map((each, number) => ({ ...each, number }) as EconomyAction));
}

function daysFromStart(days: number): string {
  return new Date(Date.parse(TEST_NOW) + days * 86_400_000).toISOString();
}
