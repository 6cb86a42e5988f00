import {
  ADDRESSES,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
  usageEvent,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { DAY_MS, moved } from './shared/times.ts';

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

const OPTIONS = {
  requirement: 'R-SUB-30 R-SUB-49',
  level: 'ASSUMED',
  effect: 'E4',
  assumes: 'A-606 A-607 A-608',
  needs: 'clock.movable',
} as const;

check(
  'SUB-75',
  OPTIONS,
  'usage a millisecond before, at and after the start of a subscription, each change of version, end and reactivation, and between updates that change other fields, nothing, or are rejected, all submitted at the end → the fee of the version in force at its own time, none after an end; no credit is given after the end',
  (t) => expectFees(t, [7]),
);

check('SUB-95', OPTIONS, 'the same usage submitted between the updates → the same fees', (t) =>
  expectFees(t, [0, 1.2, 2.5, 3.2, 3.75, 4.2, 6.7, 7]),
);
