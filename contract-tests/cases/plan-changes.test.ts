import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  aUnitPrice,
  aUsageEvent,
  check,
  describe,
  expect,
  type OwnProduct,
  table,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { stored } from './shared/events.ts';
import { addVersion, ENTITLEMENT } from './shared/products.ts';
import { moveTo, ONE_TIME, pay, shown, subscribe, to } from './shared/subscriptions.ts';
import { balance, revenueOf } from './shared/wallets.ts';

/** Subscribes a new customer to a product, with return URLs. */
async function aMember(product: OwnProduct) {
  const customer = await aFreshCustomer();
  const subscription = await subscribe(customer, { ...to(product), ...ADDRESSES });
  /** Publishes another version of the product, and moves the subscription to it. */
  const move = async (version: number, content: object) => {
    await addVersion(product, { ...content, publish: true });
    await moveTo(customer, subscription.id, product, version);
  };
  return { customer, subscription, move };
}

describe('change of version in a paid period', () => {
  check(
    'SUB-46',
    {
      requirement: 'R-SUB-50',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-607',
      needs: 'payment.completable',
    },
    'a version whose fee is not above what was collected gives what it adds at once; a more expensive one does not',
    async () => {
      const product = await aFreshProduct({ prices: [aFixedPrice(10)] });
      const { customer, subscription, move } = await aMember(product);
      await pay(customer, subscription);
      const [kept, added] = [
        { ...ENTITLEMENT, name: 'Kept', amount: 5 },
        { ...ENTITLEMENT, name: 'Added', amount: 7 },
      ];
      await move(2, { prices: [aFixedPrice(10)], entitlements: [kept] });

      expect(String(await balance(customer))).toBe('5');
      await move(3, { prices: [aFixedPrice(11)], entitlements: [kept, added] });
      expect(String(await balance(customer))).toBe('5');
      await move(4, { prices: [aFixedPrice(9)], entitlements: [kept, added] });
      expect(String(await balance(customer))).toBe('12');
    },
  );

  check(
    'SUB-47',
    { requirement: 'R-SUB-50', level: 'ASSUMED', effect: 'E3', assumes: 'A-607' },
    'a free subscription changed to a version with a fee → what the version adds waits for the payment',
    async () => {
      const product = await aFreshProduct();
      const { customer, move } = await aMember(product);
      const prices = [aUnitPrice(product.eventType), aFixedPrice(10)];
      await move(2, { prices, entitlements: [ENTITLEMENT] });

      expect(String(await balance(customer))).toBe('0');
    },
  );
});

describe('change of version of one of several products', () => {
  check(
    'SUB-51',
    { requirement: 'R-SUB-42', level: 'ASSUMED', effect: 'E3', assumes: 'A-607' },
    'one of two products of a subscription is changed to another version → the other keeps its own',
    async () => {
      const products = [await aFreshProduct(), await aFreshProduct()] as const;
      const [kept, moved] = products;
      const customer = await aFreshCustomer();
      const both = { products: products.map(({ id }) => ({ id })) };
      const { id: subscriptionId } = await subscribe(customer, both);
      await addVersion(moved, { prices: [aUnitPrice(moved.eventType, 1.5)], publish: true });
      await moveTo(customer, subscriptionId, moved, 2);
      const held = (await shown(customer, subscriptionId)).products;
      const fees = async ({ eventType }: OwnProduct) => {
        const { id } = await aUsageEvent(customer, eventType);
        return (await stored(id)).fees.map((fee) => [fee.amount, fee.product_id]);
      };

      expect(held.map(({ id, version }) => [id, version])).toEqual([
        [kept.id, 1],
        [moved.id, 2],
      ]);
      expect(await fees(kept)).toEqual([[0.25, kept.id]]);
      expect(await fees(moved)).toEqual([[1.5, moved.id]]);
    },
  );
});

describe('one-time prices', () => {
  check(
    'SUB-48',
    {
      requirement: 'R-SUB-54',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1507',
      needs: 'payment.completable',
    },
    'a one-time price asks for a payment at activation, and not again in another version',
    async () => {
      const product = await aFreshProduct({ prices: [ONE_TIME] });
      const { customer, subscription, move } = await aMember(product);
      const links = async () => {
        const { status, required_actions } = await shown(customer, subscription.id);
        return [status, required_actions?.length ?? 0];
      };

      expect(await links()).toEqual(['action_required', 1]);
      await pay(customer, subscription);
      const usage = aUnitPrice(product.eventType);
      await move(2, { prices: [usage, ONE_TIME] });
      expect(await links()).toEqual(['active', 0]);
      expect(await revenueOf(customer)).toBe(20);
    },
  );
});

const MONTHLY = {
  ...ENTITLEMENT,
  lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
};

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
