import { runDueJobs } from '../../clock/due.ts';
import { after, before, type Instant } from '../../domain/instant.ts';
import type { Emulator } from '../../main.ts';
import type { Context } from '../../resources/context.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { World } from '../../store/world.ts';
import { EVERY_DAY, EVERY_MONTH, entitlement, fixedPrice, ONE_MONTH, URLS } from '../catalog.ts';
import type { AnyBody } from '../client.ts';
import { freshKey, usagePrice } from '../usage.ts';
import type { Dice, LifeAction } from './random-actions.ts';

const ASSETS = [
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
const CALLS = usagePrice({ asset: 'CREDIT', values: [{ unit_price: 7 }] });
const TWO_WEEKS = { ...EVERY_DAY.lifecycle, duration: 'week', duration_count: 2 };
const MORE_THAN_THE_FEE = { purpose: 'bundled', accounting: { revenue_basis: 0.1 } };
const VALUED = { purpose: 'bundled', accounting: { revenue_basis: 0.01 } };
const OTHER_CREDIT = { entitlements: [entitlement(444, EVERY_MONTH)] };

/** The two versions of each plan: usage in every asset, fixed fees and credit of every rhythm. */
const PLANS: readonly (readonly [first: object, second: object])[] = [
  [
    {
      prices: PRICES.map(usagePrice),
      entitlements: [
        entitlement(50, { ...VALUED, ...EVERY_MONTH }),
        entitlement(2, { asset: 'POINT', name: 'Points' }),
      ],
    },
    { prices: PRICES.map((price) => usagePrice({ ...price, event_type: 'llm' })) },
  ],
  [{ prices: [CALLS], entitlements: [entitlement(50, EVERY_DAY)] }, OTHER_CREDIT],
  [
    { prices: [fixedPrice(20)], entitlements: [entitlement(1000, { ...VALUED, ...EVERY_MONTH })] },
    OTHER_CREDIT,
  ],
  [
    {
      prices: [fixedPrice(5, 'week'), CALLS],
      entitlements: [
        entitlement(80, { ...MORE_THAN_THE_FEE, lifecycle: TWO_WEEKS }),
        entitlement(300, { name: 'Welcome', ...ONE_MONTH }),
      ],
    },
    OTHER_CREDIT,
  ],
  [{ prices: [CALLS], entitlements: [entitlement(9, { name: 'Lasting' })] }, OTHER_CREDIT],
];

/** The subscription to the plan that bills usage in every asset. */
export const USES_ALL = { subscriptions: [{ products: [{ code: 'plan0', version: 1 }] }] };

/**
 * For tests of invariants: a world with a catalogue and customers, and their random actions, sent through the
 * pipeline without a socket.
 */
export class RandomLife {
  readonly world: World;
  /** Ids of the customers. */
  readonly customers: readonly string[];
  /** Number of rejected requests. They have no effect. */
  refused = 0;

  /** @param customers fields of each customer, without its name */
  constructor(
    private readonly emulator: Emulator,
    customers: readonly object[],
  ) {
    this.world = emulator.worlds.find(freshKey()) as World;
    for (const body of ASSETS) this.send('createAsset', { body });
    this.send('createVendor', { body: { name: 'Host', external_id: 'host' } });
    for (const [place, [first, second]] of PLANS.entries()) {
      const product = { name: `Plan ${place}`, code: `plan${place}`, publish: true };
      const { id: productId } = this.send('createProduct', { body: { ...product, ...first } });
      const body = { ...first, ...second, publish: true };
      this.send('createProductVersion', { path: { productId }, body });
    }
    this.customers = customers.map(
      (given, place) => this.send('createCustomer', { body: { name: `${place}`, ...given } }).id,
    );
  }

  /** The context that a handler would get now. */
  get context(): Context {
    const { world, emulator } = this;
    const { accountId: owner, tables, now } = world;
    return { world, tables, owner, now, settings: emulator.settings, baseUrl: '' };
  }

  send(call: string, parts: Readonly<Record<string, unknown>>): AnyBody {
    const target = this.emulator.targetOf(this.world);
    const reply = target.send({ call, ...parts }) as { status: number; body: AnyBody };
    if (reply.status >= 500) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
    if (reply.status >= 400) this.refused += 1;
    return reply.body ?? {};
  }

  act(action: LifeAction): void {
    const customerId = this.customers[action.customer] as string;
    ACTIONS[action.kind]({ life: this, action, customerId, path: { customerId } }, action.body);
  }
}

/** The customer of an action. */
interface Place {
  readonly life: RandomLife;
  readonly action: LifeAction;
  readonly customerId: string;
  readonly path: { readonly customerId: string };
}

const ACTIONS: Readonly<Record<LifeAction['kind'], (place: Place, body: AnyBody) => void>> = {
  adjust({ life, action, path }, { days, effect, ...given }) {
    const { now } = life.world;
    const body = {
      ...given,
      transaction_id: ownUuid(action, 0),
      ...(days && { expires_at: after(now, `P${days}D`) }),
      ...(effect && { effective_at: effect === 'past' ? before(now, 'P5D') : after(now, 'PT12H') }),
    };
    life.send('adjustWallet', { path, body });
  },
  charge({ life, action, path }, given) {
    const body = { ...given, transaction_id: ownUuid(action, 0) };
    life.send('chargeWallet', { path, body });
  },
  use({ life, action, customerId }) {
    const events = eventsOf(action, life.world.now);
    life.send('submitEvents', { body: { customer_id: customerId, events } });
  },
  rate: ({ life }, { asset, rate }) =>
    life.send('setAssetRate', { path: { assetCode: asset }, body: rate }),
  status: (place, { which, ...body }) => update(place, which, body),
  renew: (place, [a, b]: Dice) =>
    update(place, a, { renews_at: b % 3 === 0 ? null : later(place, 1 + (b % 60)) }),
  change(place, { which, version }) {
    const { id: subscriptionId, products } = subscriptionOf(place, which) ?? {};
    if (subscriptionId === undefined) return;
    const path = { ...place.path, subscriptionId, productId: products?.[0]?.id };
    place.life.send('updateSubscriptionProduct', { path, body: { version } });
  },
  /** Advances the clock and runs due jobs. */
  wait({ life: { world, context } }, { hours }) {
    const at = after(world.now, `PT${hours}H`);
    runDueJobs(world, at, context.settings);
    world.clock.state = { mode: 'frozen', at };
  },
  subscribe(place, [a, b, c]: Dice) {
    const body = {
      products: [{ code: `plan${a % PLANS.length}`, version: 1 + (c % 2) }],
      ...URLS,
      ...(b % 3 === 0 && { starts_at: later(place, b % 40) }),
      ...(c % 4 === 0 && { renews_at: later(place, 45 + (c % 40)) }),
    };
    place.life.send('createSubscription', { path: place.path, body });
  },
  settle: (place, [a, ...outcome]: Dice) => settle(place, subscriptionOf(place, a)?.id, outcome),
  topUp(place, [a, b]: Dice) {
    const buys = { amount: 1 + (a % 100), currency: 'USD', customer_id: place.customerId };
    const ends = b % 2 === 0 && { credit_expires_at: later(place, 1 + (b % 100)) };
    place.life.send('createTopUp', { body: { ...buys, ...URLS, ...ends } });
  },
  topUpAutomatically({ life, path }, [a, b]: Dice) {
    const body = { threshold: a % 2_000, amount: 1 + (b % 20), currency: 'USD' };
    life.send('setAutoTopUp', { path: { ...path, accountId: 'default:CREDIT' }, body });
  },
  settleTopUp(place, [a, ...outcome]: Dice) {
    const topUps = rowsOf(place.life.world.tables.top_ups, { customer_id: place.customerId });
    settle(place, pick(topUps, a)?.id, outcome);
  },
};

const OUTCOMES = ['succeeded', 'succeeded', 'processing', 'failed', 'abandoned'] as const;

function settle({ life }: Place, id: string | undefined, [b, c]: readonly number[]): void {
  if (id === undefined) return;
  const outcome = pick(OUTCOMES, b as number);
  const isPaid = outcome === 'succeeded' || outcome === 'processing';
  const payment_method = { kind: 'card', declines_later: (c as number) % 3 === 0 };
  const body = { outcome, ...(isPaid && { payment_method }) };
  life.send('settlePayment', { path: { id }, body });
}

function update(place: Place, which: number, body: object): void {
  const subscriptionId = subscriptionOf(place, which)?.id;
  if (subscriptionId !== undefined)
    place.life.send('updateSubscription', { path: { ...place.path, subscriptionId }, body });
}

const subscriptionOf = ({ life, customerId }: Place, which: number) =>
  pick(rowsOf(life.world.tables.subscriptions, { customer_id: customerId }), which);

const later = ({ life }: Place, days: number): Instant => after(life.world.now, `P${days}D`);

const pick = <T>(list: readonly T[], dice: number): T | undefined =>
  list[dice % Math.max(1, list.length)];

/** The usage events of an action, each with an id of its own. */
export const eventsOf = (action: LifeAction, now: Instant): AnyBody[] =>
  action.body.map(({ cost, days, ...usage }: AnyBody, place: number) => ({
    ...usage,
    occurred_at: before(now, `P${days}D`),
    id: ownUuid(action, place + 1),
    costs:
      cost === undefined
        ? null
        : [{ id: ownUuid(action, place + 500), vendor_external_id: 'host', amount: cost }],
  }));

function ownUuid({ number, customer }: LifeAction, place: number): string {
  const [first, last] = [String(number).padStart(8, '0'), String(place).padStart(12, '0')];
  return `${first}-0000-4000-8${String(customer).padStart(3, '0')}-${last}`;
}
