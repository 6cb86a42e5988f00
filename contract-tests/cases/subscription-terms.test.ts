import {
  aCustomerWorld,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  type CustomerWorld,
  check,
  expect,
} from '../kit/index.ts';
import { ONE_TIME } from './shared/subscriptions.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

/** A fixed price in each of the currencies, by the month unless given. */
const priceIn = (assets: readonly string[], unit_price: number, interval = 'month') => ({
  ...aFixedPrice(),
  billing_model: { type: 'recurring', recurring: { interval } },
  pricing: assets.map((asset) => ({ asset, values: [{ unit_price }] })),
});

/** A world with a customer and a plan for each list of prices. */
async function aWorldWith(t: CheckContext, ...plans: readonly (readonly object[])[]) {
  const world = await aCustomerWorld(t);
  const products: string[] = [];
  for (const prices of plans) products.push(await world.product({ prices }));
  return { world, products };
}

/** Subscribes to products, and pays by card. Returns the subscription's id. */
async function subscribe(world: CustomerWorld, products: readonly string[]): Promise<string> {
  const { id } = await world.subscribe(products);
  await world.settle(id, 'succeeded', { payment_method: { kind: 'card' } });
  return id;
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
    const { world, products } = await aWorldWith(
      t,
      [priceIn(['USD', 'EUR'], 4)],
      [priceIn(['EUR'], 6)],
    );
    const rates = [{ source: 'USD', rate: 2 }];
    await world.call('createAsset', { body: { code: 'EUR', name: 'Euro', rates } });
    await subscribe(world, products);

    // 4 EUR + 6 EUR, at 2 USD each.
    expect(await world.revenue()).toBe(20);
    const yearly = priceIn(['USD'], 3, 'year');
    for (const [one, other] of [
      [priceIn(['USD'], 4), priceIn(['EUR'], 6)],
      [priceIn(['USD'], 10), yearly],
    ] as const) {
      const apart = await aWorldWith(t, [one], [other]);
      await apart.world.subscribe(apart.products, {}, [422]);
    }

    const set_up = [priceIn(['USD'], 10), ONE_TIME];
    const { world: monthly, products: both } = await aWorldWith(t, set_up, [priceIn(['USD'], 3)]);
    const id = await subscribe(monthly, both);
    expect(await monthly.revenue()).toBe(33);
    const second = both[1] as string;
    await monthly.version(second, { prices: [yearly] });
    await monthly.version(second, { prices: [priceIn(['USD'], 3), ONE_TIME] });
    await monthly.change(id, second, 2, [422]);
    await monthly.change(id, second, 3);
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
    const { world, products } = await aWorldWith(t, [priceIn(['USD'], 10)]);
    const product = products[0] as string;
    const running = await subscribe(world, products);
    const ended = await subscribe(world, products);
    await world.version(product, { prices: [aUnitPrice('call')] });
    await world.version(product, { prices: [priceIn(['USD'], 7, 'year')] });
    await world.change(running, product, 2);
    await world.update(ended, { status: 'inactive' });
    for (const version of [3, 2, 3]) await world.change(ended, product, version);

    for (const id of [running, ended])
      expect((await world.subscription(id)).renews_at ?? null).toBeNull();
    await world.until('2026-06-01T00:00:00.000Z');
    expect(await world.revenue()).toBe(20);
  },
);
