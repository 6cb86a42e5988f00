import fc from 'fast-check';
import { after, before, type Instant } from '../domain/instant.ts';
import { createEmulator } from '../emulator.ts';
import { runDueJobs } from '../jobs/due.ts';
import type { Context } from '../resources/context.ts';
import { handlers } from '../resources/index.ts';
import type { OperationId } from '../spec/operations.ts';
import { EVERY_MONTH, entitlement } from './catalog.ts';
import { type AnyBody, TEST_NOW } from './client.ts';
import { insistOnLaws } from './commit-laws.ts';
import { freshKey, usagePrice } from './usage.ts';

/**
 * For tests of money: a world with two subscribed customers, and random deeds done to their wallets by the
 * handlers in this process. Every commit is judged by the laws of the ledger.
 */
export interface EconomyAction {
  readonly kind: 'adjust' | 'charge' | 'use' | 'rate' | 'stop' | 'upgrade' | 'wait';
  /** Which of the two customers it is done to. */
  readonly customer: 0 | 1;
  /** Makes its ids; deeds with the same number are retries. */
  readonly number: number;
  readonly body: AnyBody;
}

export interface Economy {
  /** What a handler would get at this moment. */
  readonly context: Context;
  readonly customers: readonly [string, string];
  /** Calls a handler as the pipeline would, without the pipeline. */
  call(operation: OperationId, path: object, body?: object): AnyBody;
  perform(deed: EconomyAction): AnyBody;
}

const ASSETS = ['USD', 'EUR', 'CREDIT', 'POINT'] as const;

const emulator = createEmulator({
  settings: { clock: 'frozen', clock_now: TEST_NOW, log_level: 'silent' },
  onCommit: insistOnLaws,
});

export function anEconomy(): Economy {
  const world = emulator.worlds.find(freshKey());
  if (!world) throw new Error('The key opens no world.');
  const { tables, accountId: owner } = world;
  const { settings } = emulator;
  const fixed = { world, tables, owner, settings, baseUrl: 'http://127.0.0.1' };
  const contextNow = (): Context => ({ ...fixed, now: world.now });

  function call(operation: OperationId, path: object, body?: object): AnyBody {
    const handler = handlers[operation] as (call: object, context: Context) => { body?: AnyBody };
    return world?.commit(() => handler({ path, query: {}, body }, contextNow())).body;
  }

  for (const asset of CUSTOM_ASSETS) call('createAsset', {}, asset);
  call('createVendor', {}, { name: 'Host', external_id: 'host' });
  call('createProduct', {}, PRODUCT);
  const subscriptions = [{ products: [{ code: 'product', version: 1 }] }];
  const make = (name: string): string => call('createCustomer', {}, { name, subscriptions }).id;
  const customers = [make('Acme'), make('Globex')] as const;
  call('createProductVersion', { productId: productOf(contextNow()) }, NEXT_VERSION);
  return {
    get context() {
      return contextNow();
    },
    customers,
    call,
    perform: (deed) => perform(contextNow(), customers, call, deed),
  };
}

const CUSTOM_ASSETS = [
  { code: 'CREDIT', name: 'Credits', precision: 0, rates: [{ source: 'USD', rate: 0.05 }] },
  { code: 'POINT', name: 'Points', precision: 3 },
];

const PRICES = [
  {
    name: 'Tokens',
    event_type: 'llm',
    usage_type: 'unit_and_volume',
    volume_field: 'n',
    billable_dimensions: ['model'],
    pricing: [
      {
        asset: 'CREDIT',
        values: [{ dimensions: { model: 'a' }, unit_price: 1, volume_rate: 0.7, package_size: 3 }],
      },
      { asset: 'USD', values: [{ unit_price: 0.0000000001, volume_rate: 0.1, package_size: 7 }] },
    ],
  },
  { name: 'Calls', event_type: 'llm', asset: 'POINT', values: [{ unit_price: 0.0005 }] },
  { name: 'Images', event_type: 'image', asset: 'EUR', values: [{ unit_price: 0.25 }] },
];

const PRODUCT = {
  name: 'Product',
  code: 'product',
  publish: true,
  prices: PRICES.map(usagePrice),
  entitlements: [
    entitlement(50, { purpose: 'bundled', accounting: { revenue_basis: 0.01 }, ...EVERY_MONTH }),
    entitlement(2, { asset: 'POINT', name: 'Points' }),
  ],
};

const NEXT_VERSION = {
  prices: PRICES.map((price) => usagePrice({ ...price, event_type: 'llm' })),
  publish: true,
};

function productOf({ tables, owner }: Context): string {
  return tables.products.first('owner', owner)?.id ?? '';
}

function perform(
  context: Context,
  customers: readonly string[],
  call: Economy['call'],
  { kind, customer, number, body }: EconomyAction,
): AnyBody {
  const customerId = customers[customer] as string;
  const transaction_id = economyUuid(number, 0);
  switch (kind) {
    case 'adjust':
      return call('adjustWallet', { customerId }, adjustmentOf(body, transaction_id, context.now));
    case 'charge':
      return call('chargeWallet', { customerId }, { ...body, transaction_id });
    case 'use':
      return call(
        'submitEvents',
        {},
        { customer_id: customerId, events: eventsOf(number, body, context.now) },
      );
    case 'rate':
      return call('setAssetRate', { assetCode: body.asset }, body.rate);
    case 'wait':
      return moveOn(context, body.hours);
    default: {
      const [row] = context.tables.subscriptions.list('customer', customerId);
      const path = { customerId, subscriptionId: row?.id, productId: productOf(context) };
      const operation = kind === 'stop' ? 'updateSubscription' : 'updateSubscriptionProduct';
      return call(operation, path, body);
    }
  }
}

/** Moves the clock on, doing what falls due on the way. */
function moveOn({ world, settings, now }: Context, hours: number): void {
  const until = after(now, `PT${hours}H`);
  runDueJobs(world, until, settings);
  world.clock.state = { mode: 'frozen', at: until };
}

function adjustmentOf(
  { days, effect, ...body }: AnyBody,
  transaction_id: string,
  now: Instant,
): AnyBody {
  const effective_at = effect === 'past' ? before(now, 'P5D') : after(now, 'PT12H');
  return {
    ...body,
    transaction_id,
    ...(days && { expires_at: after(now, `P${days}D`) }),
    ...(effect && { effective_at }),
  };
}

/** The usage events of a deed, each with an id of its own. */
export function eventsOf(number: number, usages: readonly AnyBody[], now: Instant): AnyBody[] {
  return usages.map(({ cost, days, ...usage }, place) => ({
    ...usage,
    occurred_at: before(now, `P${days}D`),
    id: economyUuid(number, place + 1),
    costs:
      cost === undefined
        ? null
        : [{ id: economyUuid(number, place + 500), vendor_external_id: 'host', amount: cost }],
  }));
}

export function economyUuid(number: number, place: number): string {
  const [left, right] = [number, place].map((each) => String(each).padStart(4, '0'));
  return `00000000-0000-4000-${left}-${String(right).padStart(12, '0')}`;
}

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
    kind: fc.constantFrom('external_topup', 'gift', 'gift', 'external_refund'),
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
