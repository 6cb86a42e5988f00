import { after, before, type Instant } from '../../domain/instant.ts';
import { createEmulator } from '../../emulator.ts';
import { runDueJobs } from '../../jobs/due.ts';
import type { Context } from '../../resources/context.ts';
import { handlers } from '../../resources/index.ts';
import type { OperationId } from '../../spec/operations.ts';
import { EVERY_MONTH, entitlement } from '../catalog.ts';
import { type AnyBody, TEST_NOW } from '../client.ts';
import { insistOnLaws } from '../commit-laws.ts';
import { freshKey, usagePrice } from '../usage.ts';
import type { EconomyAction } from './economy-actions.ts';

/**
 * For tests of money: a world with two subscribed customers, and random deeds done to their wallets by the
 * handlers in this process. Every commit is judged by the laws of the ledger.
 */
export interface Economy {
  /** What a handler would get at this moment. */
  readonly context: Context;
  readonly customers: readonly [string, string];
  /** Calls a handler as the pipeline would, without the pipeline. */
  call(operation: OperationId, path: object, body?: object): AnyBody;
  perform(deed: EconomyAction): AnyBody;
}

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

function economyUuid(number: number, place: number): string {
  const [left, right] = [number, place].map((each) => String(each).padStart(4, '0'));
  return `00000000-0000-4000-${left}-${String(right).padStart(12, '0')}`;
}
