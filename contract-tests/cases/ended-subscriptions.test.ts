import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aUnitPrice,
  type CheckContext,
  call,
  check,
  describe,
  expect,
  now,
  refused,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { moveTo, ONE_TIME, pay, shown, subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { revenueOf } from './shared/wallets.ts';

/** A new subscription with these prices, active or awaiting payment, and functions to read and update it. */
async function aMember(prices?: object[]) {
  const customer = await aFreshCustomer();
  const product = await aFreshProduct(prices && { prices });
  const made = await subscribe(customer, { ...to(product), ...ADDRESSES });
  const path = { customerId: customer.id, subscriptionId: made.id };
  return {
    customer,
    made,
    product,
    path,
    look: () => shown(customer, made.id),
    update: (body: object) => call('updateSubscription', { path, body: body as never }, [204]),
  };
}

describe('updates of an ended subscription', () => {
  check(
    'SUB-54',
    { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'a change of URL or renewal of an ended subscription does not reactivate it; the renewal applies once it is reactivated',
    async () => {
      const { update, look } = await aMember();
      const renews_at = now(20 * DAY_MS);
      await update({ status: 'inactive' });
      await update({ return_url: 'https://contract.invalid/again' });
      await update({ renews_at });

      expect((await look()).status).toBe('inactive');
      await update({ status: 'active' });
      const { status, renews_at: held } = await look();
      expect([status, held]).toEqual(['active', renews_at]);
    },
  );

  check(
    'SUB-55',
    { requirement: 'R-SUB-40', level: 'ASSUMED', effect: 'E3', assumes: ['A-606', 'A-1507'] },
    'an ended subscription changed to a version with a one-time price asks for no payment',
    async () => {
      const { customer, made, update, look, product } = await aMember();
      await update({ status: 'inactive' });
      await addVersion(product, { prices: [ONE_TIME], publish: true });
      await moveTo(customer, made.id, product, 2);
      const { status, required_actions } = await look();

      expect([status, required_actions ?? []]).toEqual(['inactive', []]);
    },
  );
});

describe('activation of a subscription with a fee', () => {
  check(
    'SUB-56',
    { requirement: 'R-SUB-41', level: 'ASSUMED', effect: 'E3', assumes: 'A-606' },
    'a subscription that awaits payment cannot be set active; one that is ended and reactivated unpaid asks for payment again',
    async () => {
      const { made, update, look, path } = await aMember([aFixedPrice(10)]);

      expect(made.status).toBe('action_required');
      await refused('updateSubscription', { path, body: { status: 'active' } });
      await update({ status: 'inactive' });
      expect((await look()).required_actions ?? []).toEqual([]);
      await update({ status: 'active' });
      const { status, required_actions } = await look();
      expect([status, required_actions?.length]).toEqual(['action_required', 1]);
    },
  );

  check(
    'SUB-57',
    {
      requirement: 'R-SUB-41',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-606',
      needs: 'payment.completable',
    },
    'an ended subscription with a saved card is active at once when reactivated, and its fee is collected again',
    async () => {
      const { customer, made, update, look } = await aMember([aFixedPrice(10)]);
      await pay(customer, made);
      expect(await revenueOf(customer)).toBe(10);
      await update({ status: 'inactive' });
      await update({ status: 'active' });

      expect((await look()).status).toBe('active');
      expect(await revenueOf(customer)).toBe(20);
    },
  );
});

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
    'subscriptions ended, and reactivated when another version is the default → in the version that they were created with or changed to, before or after their end: its usage prices, monthly credit and fixed fee',
    async (t) => {
      for (const { changed, version, left, refreshed, revenues } of [
        { changed: 'never', version: 1, left: 4, refreshed: 5, revenues: [20, 30] },
        { changed: 'before', version: 2, left: 3, refreshed: 20, revenues: [35, 60] },
        { changed: 'after', version: 2, left: 3, refreshed: 20, revenues: [35, 60] },
      ]) {
        const world = await aMemberOfTwo(t);
        await world.publish(contents(2, 20, 25));
        if (changed === 'before') await world.change(2);
        await world.until('2026-03-10T12:00:00.000Z');
        await world.set('inactive');
        if (changed === 'after') await world.change(2);
        await world.publish(contents(4, 80, 40), { make_default: true });
        await world.until('2026-03-20T12:00:00.000Z');
        await world.set('active');
        await world.use();

        expect(await world.versions()).toEqual([version, version]);
        expect([await world.available(), await world.revenue()]).toEqual([left, revenues[0]]);
        await world.until('2026-04-01T12:00:00.000Z');
        expect(await world.available()).toBe(refreshed);
        await world.until('2026-04-20T12:00:00.000Z');
        expect(await world.revenue()).toBe(revenues[1]);
        expect(await world.versions()).toEqual([version, version]);
      }
    },
  );
});
