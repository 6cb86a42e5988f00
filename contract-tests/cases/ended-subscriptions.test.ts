import {
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  describe,
  expect,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';

const REFRESH = { strategy: 'expire_and_replace' };

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
