import {
  ADDRESSES,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
  usageEvent,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { ONE_TIME } from './shared/subscriptions.ts';
import { DAY_MS, moved } from './shared/times.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

/** A fixed price in each of the currencies, by the month unless given. */
const priceIn = (assets: readonly string[], unit_price: number, interval = 'month') => ({
  ...aFixedPrice(),
  billing_model: { type: 'recurring', recurring: { interval } },
  pricing: assets.map((asset) => ({ asset, values: [{ unit_price }] })),
});

/** A customer in a world with a plan for each list of prices. The clock stands at noon of 1 March. */
async function aWorldWith(t: CheckContext, ...plans: readonly (readonly object[])[]) {
  const world = await aCustomerWorld(t);
  const { call, path } = world;
  const products: { readonly id: string }[] = [];
  for (const [place, prices] of plans.entries()) {
    const body = { name: 'Plan', code: `plan-${place}`, prices, publish: true };
    products.push({ id: (await call('createProduct', { body })).id });
  }
  const subscribe = async (terms: object = {}, statuses?: readonly number[]) => {
    const body = { products, ...ADDRESSES, ...terms };
    return call('createSubscription', { path, body }, statuses);
  };
  const settle = (id: string) =>
    call('settlePayment', {
      path: { id },
      body: { outcome: 'succeeded', payment_method: { kind: 'card' } },
    });
  return { ...world, products, subscribe, settle };
}

check(
  'SUB-80',
  {
    requirement: 'R-PRD-52 R-SUB-36 R-SUB-39 R-SUB-50',
    assumes: 'A-505 A-603 A-605 A-607',
    ...OPTIONS,
  },
  'fees of two products → one payment collects both, and so does each renewal, a one-time price for each product; in several currencies → in the first that all have; rejected when there is none; of different intervals → rejected at creation and by a change of version',
  async (t) => {
    const world = await aWorldWith(t, [priceIn(['USD', 'EUR'], 4)], [priceIn(['EUR'], 6)]);
    const rates = [{ source: 'USD', rate: 2 }];
    await world.call('createAsset', { body: { code: 'EUR', name: 'Euro', rates } });
    const { id } = await world.subscribe();
    await world.settle(id);

    // 4 EUR + 6 EUR, at 2 USD each.
    expect(await world.revenue()).toBe(20);
    const apart = await aWorldWith(t, [priceIn(['USD'], 4)], [priceIn(['EUR'], 6)]);
    await apart.subscribe({}, [422]);

    const yearly = priceIn(['USD'], 3, 'year');
    const intervals = await aWorldWith(t, [priceIn(['USD'], 10)], [yearly]);
    await intervals.subscribe({}, [422]);

    const set_up = [priceIn(['USD'], 10), ONE_TIME];
    const monthly = await aWorldWith(t, set_up, [priceIn(['USD'], 3)]);
    const { id: subscriptionId } = await monthly.subscribe();
    await monthly.settle(subscriptionId);
    expect(await monthly.revenue()).toBe(33);
    const productId = monthly.products[1]?.id as string;
    for (const prices of [[yearly], [priceIn(['USD'], 3), ONE_TIME]]) {
      const body = { prices, publish: true };
      await monthly.call('createProductVersion', { path: { productId }, body });
    }
    const path = { ...monthly.path, subscriptionId, productId };
    await monthly.call('updateSubscriptionProduct', { path, body: { version: 2 } }, [422]);
    await monthly.call('updateSubscriptionProduct', { path, body: { version: 3 } });
    await monthly.until('2026-04-01T12:00:00.000Z');
    // 10 and 3 again, and 20 once for the second product, whose price has the name of one that is paid.
    expect(await monthly.revenue()).toBe(66);
  },
);

check(
  'SUB-83',
  { requirement: 'R-SUB-04 R-SUB-50', assumes: 'A-607 A-605', ...OPTIONS },
  'a change to a version without a recurring price → no renews_at, and nothing is collected any more; the same of an ended subscription, whatever version it is changed to',
  async (t) => {
    const world = await aWorldWith(t, [priceIn(['USD'], 10)]);
    const { call, path } = world;
    const { id: subscriptionId } = await world.subscribe();
    await world.settle(subscriptionId);
    const { id: ended } = await world.subscribe();
    await world.settle(ended);
    const productId = world.products[0]?.id as string;
    for (const prices of [[aUnitPrice('call')], [priceIn(['USD'], 7, 'year')]])
      await call('createProductVersion', { path: { productId }, body: { prices, publish: true } });
    const changed = { path: { ...path, subscriptionId, productId }, body: { version: 2 } };
    await call('updateSubscriptionProduct', changed);
    const end = {
      path: { ...path, subscriptionId: ended, productId },
      body: { status: 'inactive' },
    };
    await call('updateSubscription', end);
    for (const version of [3, 2, 3])
      await call('updateSubscriptionProduct', { path: end.path, body: { version } });

    for (const id of [subscriptionId, ended])
      expect((await world.subscription(id)).renews_at ?? null).toBeNull();
    await world.until('2026-06-01T00:00:00.000Z');
    expect(await world.revenue()).toBe(20);
  },
);

const START = '2026-03-01T12:00:00.000Z';
const day = (count: number, milliseconds = 0) => moved(START, count * DAY_MS + milliseconds);

const lifecycle = { duration: 'month', refresh: { strategy: 'expire_and_replace' } };
const contents = (price: number) => ({
  prices: [aUnitPrice('call', price)],
  entitlements: [{ ...ENTITLEMENT, purpose: 'promotion', amount: 5, lifecycle }],
  publish: true,
});

/** Updates with their days: of the product or of the subscription, and whether they are rejected. */
const UPDATES: readonly (readonly [at: number, body: object, isRefused?: boolean])[] = [
  [1, { version: 2 }],
  [1.5, { return_url: 'https://contract.invalid/again', renews_at: day(25) }],
  [2, { version: 1 }],
  [2.5, { status: 'active' }],
  [2.6, { status: 'inactive', renews_at: day(-1) }, true],
  [2.7, { status: 'paused' }, true],
  [2.8, { version: 99 }, true],
  [3, { status: 'inactive', renews_at: null }],
  [3.5, { status: 'inactive' }],
  [3.6, { redirect_to: 'portal', failure_url: 'https://contract.invalid/failed' }],
  [3.7, { version: 3 }],
  [3.8, { version: 99 }, true],
  [4, { status: 'active' }],
  [4.5, { status: 'active', return_url: null }],
  [5, { version: 2 }],
  [6, { status: 'inactive', failure_url: null }],
  [6.5, { version: 1 }],
];

/** Usage: its time, and its fee in the version that was in force then, if any was. */
const USAGE: readonly (readonly [occurred_at: string, fee?: number])[] = [
  [day(-1)],
  [day(0, -300_001)],
  [day(0, -300_000), 1],
  [day(0, -1), 1],
  [day(0), 1],
  [day(1, -1), 1],
  [day(1), 10],
  [day(1, 1), 10],
  [day(1.5), 10],
  [day(1.6), 10],
  [day(2, -1), 10],
  [day(2), 1],
  [day(2.5), 1],
  [day(2.9), 1],
  [day(3, -1), 1],
  [day(3)],
  [day(3, 1)],
  [day(3.5, -1)],
  [day(3.5)],
  [day(3.7)],
  [day(3.9)],
  [day(4, -1)],
  [day(4), 100],
  [day(4.5), 100],
  [day(5, -1), 100],
  [day(5), 10],
  [day(6, -1), 10],
  [day(6)],
  [day(6.5)],
  [day(7)],
];

/**
 * Carries out the updates and submits the usage of a subscription at some instants, each time all that is then in the
 * past. Expects the fee of each event, and no credit after the end.
 */
async function expectFees(t: CheckContext, days: readonly number[]): Promise<void> {
  const world = await aCustomerWorld(t, START);
  const { call, path } = world;
  await world.adjust({ amount: 1000, reason: 'external_topup' });
  const plan = { name: 'Plan', code: 'plan', ...contents(1) };
  const { id: productId } = await call('createProduct', { body: plan });
  for (const price of [10, 100])
    await call('createProductVersion', { path: { productId }, body: contents(price) });
  const body = { products: [{ id: productId }], ...ADDRESSES };
  const { id: subscriptionId } = await call('createSubscription', { path, body });
  const of = { ...path, subscriptionId, productId };

  const usage = USAGE.map(([occurred_at, fee]) => ({
    fee,
    occurred_at,
    event: usageEvent('call', { occurred_at }),
  }));
  let waiting = usage;
  const steps: readonly { at: string; change?: object; isRefused?: boolean | undefined }[] = [
    ...UPDATES.map(([at, change, isRefused]) => ({ at: day(at), change, isRefused })),
    ...days.map((at) => ({ at: day(at) })),
  ].sort((one, two) => Date.parse(one.at) - Date.parse(two.at));
  for (const { at, change, isRefused } of steps) {
    if (at > START) await world.until(at);
    if (change) {
      const isVersion = 'version' in change;
      const operation = isVersion ? 'updateSubscriptionProduct' : 'updateSubscription';
      await call(operation, { path: of, body: change }, [isRefused ? 422 : 204]);
      continue;
    }
    const due = waiting.filter(({ occurred_at }) => occurred_at <= at).reverse();
    waiting = waiting.filter((one) => !due.includes(one));
    const events = due.map(({ event }) => event);
    await call('submitEvents', { body: { customer_id: path.customerId, events } });
  }

  const { items } = await call('listEvents', { query: { limit: 1000 } });
  const found = new Map<string, { has_fees: boolean; total_fees?: number }>(
    items.map((item: { readonly id: string }) => [item.id, item]),
  );
  for (const { event, occurred_at, fee } of usage) {
    const { has_fees, total_fees = 0 } = found.get(event.id) ?? {};
    const wanted = [fee !== undefined, fee ?? 0];
    expect([has_fees, total_fees], `fee of usage at ${occurred_at}`).toEqual(wanted);
  }
  // 1000 + 5 − (1 × 8 + 10 × 7 + 100 × 3)
  expect(await world.available()).toBe(627);
  expect(await world.subscription(subscriptionId)).toMatchObject({
    ...{ status: 'inactive', started_at: START, products: [{ version: 1 }] },
  });
  await world.until('2026-04-02T12:00:00.000Z');
  expect(await world.ends(), 'ends of credit').toEqual(['2027-03-01T12:00:00.000Z']);
}

const AROUND_UPDATES = {
  requirement: 'R-SUB-30 R-SUB-49',
  effect: 'E4',
  assumes: 'A-606 A-607 A-608',
  needs: 'clock.movable',
} as const;

check(
  'SUB-75',
  AROUND_UPDATES,
  'usage a millisecond before, at and after the start of a subscription, each change of version, end and reactivation, and between updates that change other fields, nothing, or are rejected, all submitted at the end → the fee of the version in force at its own time, none after an end; no credit is given after the end',
  (t) => expectFees(t, [7]),
);

check(
  'SUB-95',
  AROUND_UPDATES,
  'the same usage submitted between the updates → the same fees',
  (t) => expectFees(t, [0, 1.2, 2.5, 3.2, 3.75, 4.2, 6.7, 7]),
);
