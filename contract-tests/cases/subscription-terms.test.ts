import {
  ADDRESSES,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ONE_TIME } from './shared/subscriptions.ts';

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
  'a subscription changed to a version without a recurring price → no renews_at, and nothing is collected any more; an ended subscription, changed to any version → the same',
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
