import {
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  describe,
  expect,
  table,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';

const REFRESH = { strategy: 'expire_and_replace' };
const MONTHLY = { ...ENTITLEMENT, lifecycle: { duration: 'month', refresh: REFRESH } };

describe('credit of plans over months', () => {
  check(
    'SUB-64',
    {
      requirement: 'R-PRD-55',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-511',
      needs: 'clock.movable',
    },
    'credit of two weeks, of a month from 31 January, also as one month, and beside it some that is given once → each grant ends as the next is given, after two weeks, and on the last day of shorter months; the last is not given again',
    async (t) => {
      const { until, subscribe, ends } = await aCustomerWorld(t, '2026-01-31T12:00:00.000Z');
      const weeks = { duration: 'week', duration_count: 2, refresh: REFRESH };
      const once = {
        ...ENTITLEMENT,
        name: 'Once',
        lifecycle: { duration: 'month', duration_count: 2 },
      };
      await subscribe([aUnitPrice('call')], [{ ...ENTITLEMENT, lifecycle: weeks }]);
      const counted = { ...MONTHLY.lifecycle, duration_count: 1 };
      const same = { ...ENTITLEMENT, name: 'Counted', lifecycle: counted };
      await subscribe([aUnitPrice('call')], [MONTHLY, same, once]);
      for (const [moment, ...days] of [
        ['01-31', '02-14', '02-28', '02-28', '03-31'],
        ['02-14', '02-28', '02-28', '02-28', '03-31'],
        ['02-28', '03-14', '03-31', '03-31', '03-31'],
        ['03-31', '04-11', '04-30', '04-30'],
      ] as const) {
        if (moment !== '01-31') await until(`2026-${moment}T12:00:00.000Z`);
        const wanted = days.map((day) => `2026-${day}T12:00:00.000Z`);
        expect([...(await ends())].sort(), `ends of credit on ${moment}`).toEqual(wanted);
      }
    },
  );
});

interface Resumed {
  /** The entitlements of versions 1 and 2. */
  readonly versions: readonly [readonly object[], readonly object[]];
  /** Changes to a version, and moments to wait for. */
  readonly steps: readonly (1 | 2 | string)[];
  /** The credit right after the resumption, and at later moments. */
  readonly credit: number;
  readonly later: Readonly<Record<string, number>>;
}

describe('stopping and resuming right after a change of version', () => {
  table<Resumed>(
    'SUB-87',
    {
      requirement: ['R-SUB-40', 'R-SUB-50'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-511', 'A-607', 'A-610'],
      needs: 'clock.movable',
    },
    'a subscription stopped and resumed right after a change of version → no credit; the next is given on its refresh day',
    {
      // 5 of March ended on 1 April; back in April, the credit waits for 1 May.
      'to a version with credit that another one lacked for a time': {
        versions: [[MONTHLY], []],
        steps: [2, '2026-04-10T12:00:00.000Z', 1],
        credit: 0,
        later: { '2026-05-01T12:00:00.000Z': 5, '2026-06-01T12:00:00.000Z': 5 },
      },
      // The months wait for the end of the 5 that last for years.
      'to a version whose lasting credit is monthly': {
        versions: [[ENTITLEMENT], [MONTHLY]],
        steps: [2],
        credit: 5,
        later: { '2026-04-01T12:00:00.000Z': 5, '2026-05-01T12:00:00.000Z': 5 },
      },
    },
    async ({ versions: [first, entitlements], steps, credit, later }, t) => {
      const world = await aCustomerWorld(t);
      const { call, until, available } = world;
      const subscriptionId = await world.subscribe([aUnitPrice('call')], first);
      const [{ id: productId }] = (await world.subscription(subscriptionId)).products;
      const body = { prices: [aUnitPrice('call')], entitlements, publish: true };
      await call('createProductVersion', { path: { productId }, body });
      const path = { ...world.path, subscriptionId };
      for (const step of steps)
        if (typeof step === 'string') await until(step);
        else
          await call('updateSubscriptionProduct', {
            path: { ...path, productId },
            body: { version: step },
          });
      for (const status of ['inactive', 'active'])
        await call('updateSubscription', { path, body: { status } });

      expect(await available()).toBe(credit);
      for (const [moment, wanted] of Object.entries(later)) {
        await until(moment);
        expect(await available(), moment).toBe(wanted);
      }
    },
  );
});

/** Contents of two products: a price per call with monthly credit, and a monthly fee. */
const contents = (call: number, credit: number, fee: number) => [
  {
    prices: [aUnitPrice('call', call)],
    entitlements: [
      { ...ENTITLEMENT, amount: credit, lifecycle: { duration: 'month', refresh: REFRESH } },
    ],
  },
  { prices: [aFixedPrice(fee)], entitlements: [] },
];

/** A world with a customer of two products, whose subscriptions and versions are changed together. */
async function aMemberOfTwo(t: CheckContext) {
  const world = await aCustomerWorld(t);
  const { call, path } = world;
  const ids: string[] = [];
  for (const { prices, entitlements } of contents(1, 5, 10))
    ids.push(await world.subscribe(prices, entitlements));
  const held = async (): Promise<readonly { id: string; version: number }[]> =>
    (await Promise.all(ids.map(world.subscription))).map(({ products }) => products[0]);
  const products = (await held()).map(({ id }) => id);
  const places = ids.map((subscriptionId, index) => ({
    ...{ ...path, subscriptionId, productId: products[index] as string },
  }));
  return {
    ...world,
    versions: async () => (await held()).map(({ version }) => version),
    publish: async (bodies: readonly object[], more: object = {}) => {
      for (const [index, { productId }] of places.entries()) {
        const body = { ...bodies[index], publish: true, ...more };
        await call('createProductVersion', { path: { productId }, body });
      }
    },
    set: async (status: string) => {
      for (const place of places)
        await call('updateSubscription', { path: place, body: { status } });
    },
    change: async (version: number) => {
      for (const place of places)
        await call('updateSubscriptionProduct', { path: place, body: { version } });
    },
  };
}

describe('the version of a subscription that is reactivated', () => {
  check(
    'SUB-67',
    {
      requirement: 'R-SUB-40',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-502', 'A-606'],
      needs: 'clock.movable',
    },
    'subscriptions ended, and reactivated when another version is the default → in the version that they were changed to, before or after their end: its usage prices, its fixed fee, and its monthly credit on the original day of the month',
    async (t) => {
      for (const isBefore of [true, false]) {
        const world = await aMemberOfTwo(t);
        await world.publish(contents(2, 20, 25));
        if (isBefore) await world.change(2);
        await world.until('2026-03-10T12:00:00.000Z');
        await world.set('inactive');
        if (!isBefore) await world.change(2);
        await world.publish(contents(4, 80, 40), { make_default: true });
        await world.until('2026-03-20T12:00:00.000Z');
        await world.set('active');
        await world.use();

        expect(await world.versions()).toEqual([2, 2]);
        // 5 of the first version's credit are left, and 2 are used. 10 and 25 are collected.
        expect([await world.available(), await world.revenue()]).toEqual([3, 35]);
        expect(await world.ends()).toEqual(['2026-04-01T12:00:00.000Z']);
        await world.until('2026-04-01T12:00:00.000Z');
        expect([await world.available(), await world.ends()]).toEqual([
          20,
          ['2026-05-01T12:00:00.000Z'],
        ]);
        await world.until('2026-04-20T12:00:00.000Z');
        expect([await world.revenue(), await world.versions()]).toEqual([60, [2, 2]]);
      }
    },
  );
});
