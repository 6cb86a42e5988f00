import { ADDRESSES, aUnitPrice, describe, expect, table, usageEvent } from '../kit/index.ts';
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

/** The instants at which usage is submitted: as it happens, after some updates, or at the end. */
const SUBMISSIONS = {
  'as it happens': undefined as number[] | undefined,
  'at the end': [7],
  'at times': [1.2, 3.2, 3.75, 4.2, 6.7, 7],
};

describe('usage around updates of a subscription', () => {
  table(
    'SUB-75',
    {
      requirement: ['R-SUB-30', 'R-SUB-49'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-606', 'A-607', 'A-608'],
      needs: 'clock.movable',
    },
    'usage a millisecond before, at and after the start of a subscription, each change of version, end and reactivation, and between updates that change other fields, nothing, or are rejected, submitted as it happens, later and all at the end → the fee of the version in force at its own time, none after an end; another subscription bills all along, and no credit is given after the end',
    SUBMISSIONS,
    async (days, t) => {
      const world = await aCustomerWorld(t, START);
      const { call, path } = world;
      await world.adjust({ amount: 1000, reason: 'external_topup' });
      const plan = { name: 'Plan', code: 'plan', ...contents(1) };
      const { id: productId } = await call('createProduct', { body: plan });
      for (const price of [10, 100])
        await call('createProductVersion', { path: { productId }, body: contents(price) });
      const body = { products: [{ id: productId }], ...ADDRESSES };
      const { id: subscriptionId } = await call('createSubscription', { path, body });
      const other = await world.subscribe([aUnitPrice('other', 3)]);
      const of = { ...path, subscriptionId, productId };

      const usage = USAGE.map(([occurred_at, fee]) => {
        const events = ['call', 'other'].map((type) => usageEvent(type, { occurred_at }));
        return { occurred_at, fee, events };
      });
      const instants = days?.map((each) => day(each)) ?? usage.map((one) => one.occurred_at);
      const steps: readonly { at: string; change?: object; isRefused?: boolean | undefined }[] = [
        ...UPDATES.map(([at, change, isRefused]) => ({ at: day(at), change, isRefused })),
        // An update comes before usage of the same instant.
        ...instants.filter((at) => at >= START).map((at) => ({ at })),
      ].sort((one, two) => Date.parse(one.at) - Date.parse(two.at));
      let waiting = usage;
      for (const step of steps) {
        if (step.at > START) await world.until(step.at);
        const { change, isRefused } = step;
        if (change) {
          const isVersion = 'version' in change;
          const operation = isVersion ? 'updateSubscriptionProduct' : 'updateSubscription';
          await call(operation, { path: of, body: change }, [isRefused ? 422 : 204]);
          continue;
        }
        const due = waiting.filter(({ occurred_at }) => occurred_at <= step.at).reverse();
        waiting = waiting.filter((one) => !due.includes(one));
        const events = due.flatMap((one) => one.events);
        if (due.length > 0)
          await call('submitEvents', { body: { customer_id: path.customerId, events } });
      }

      const feesOf = async (id: string | undefined) => {
        const { fees } = await call('getEvent', { path: { eventId: id as string } });
        return fees.map((fee: { readonly amount: number }) => fee.amount);
      };
      for (const { occurred_at, fee, events } of usage) {
        const wanted = [fee === undefined ? [] : [fee], occurred_at < day(0, -300_000) ? [] : [3]];
        const found = [await feesOf(events[0]?.id), await feesOf(events[1]?.id)];
        expect(found, occurred_at).toEqual(wanted);
      }
      // 1000 + 5 − (1 × 8 + 10 × 7 + 100 × 3) − 3 × 28
      expect(await world.available()).toBe(543);
      expect(await world.subscription(subscriptionId)).toMatchObject({
        ...{ status: 'inactive', started_at: START, products: [{ version: 1 }] },
      });
      expect((await world.subscription(other)).status).toBe('active');
      await world.until('2026-04-02T12:00:00.000Z');
      expect(await world.ends()).toEqual(['2027-03-01T12:00:00.000Z']);
    },
  );
});
