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

const CARD = { payment_method: { kind: 'card' } };

/** A fixed price in each of the currencies, by the month unless given. */
const priceIn = (assets: readonly string[], unit_price: number, interval = 'month') => ({
  ...aFixedPrice(),
  billing_model: { type: 'recurring', recurring: { interval } },
  pricing: assets.map((asset) => ({ asset, values: [{ unit_price }] })),
});

interface Renewed {
  /** Terms at the creation on 1 March at noon, beside a fee by the month. */
  readonly terms?: object;
  /** Updates on 5 March. A version 2 is by the month, 3 by the year. */
  readonly updates: readonly object[];
  /** All renewals until the last look, and the one after. */
  readonly renewals: readonly string[];
}

/**
 * Expects of several subscriptions of a customer, each with its own fee, that they show the next renewal and that their
 * fees are collected exactly at each.
 */
async function expectRenewals(
  t: CheckContext,
  rows: Readonly<Record<string, Renewed>>,
  moments: readonly string[],
): Promise<void> {
  const world = await aCustomerWorld(t);
  const made: (Renewed & { name: string; id: string; productId: string; fee: number })[] = [];
  for (const [name, row] of Object.entries(rows)) {
    // A power of two, so that no sum hides which fees were collected.
    const fee = 2 ** made.length;
    const productId = await world.product({ name, prices: [aFixedPrice(fee)] });
    const { id } = await world.subscribe([productId], row.terms);
    await world.settle(id, 'succeeded', CARD);
    made.push({ ...row, name, id, productId, fee });
  }
  await world.until('2026-03-05T06:00:00.000Z');
  for (const { id, productId, fee, updates } of made) {
    if (updates.some((body) => 'version' in body))
      for (const interval of ['month', 'year'])
        await world.version(productId, { prices: [priceIn(['USD'], fee, interval)] });
    for (const body of updates)
      if ('version' in body) await world.change(id, productId, body.version);
      else await world.update(id, body);
  }
  for (const moment of moments) {
    await world.until(moment);
    const { subscriptions } = await world.call('getCustomer', { path: world.path });
    let collected = 0;
    for (const { name, id, fee, renewals } of made) {
      const next = renewals.find((at) => at > moment);
      const shown = subscriptions.find((each: { readonly id: string }) => each.id === id);
      expect([shown.status, shown.renews_at], `${name}, at ${moment}`).toEqual(['active', next]);
      collected += fee * (1 + renewals.filter((at) => at <= moment).length);
    }
    expect(await world.revenue(), `fees until ${moment}`).toBe(collected);
  }
}

const UNMOVED = [
  '2026-04-01T12:00:00.000Z',
  '2026-05-01T12:00:00.000Z',
  '2026-06-01T12:00:00.000Z',
];
const LATE = ['2026-05-10T00:00:00.000Z', '2026-06-10T00:00:00.000Z'];
const late = { renews_at: LATE[0] };

const PORTAL = { redirect_to: 'portal' };

const VERSIONS: Readonly<Record<string, Renewed>> = {
  'at creation': {
    terms: { renews_at: '2026-03-20T09:00:00.000Z' },
    updates: [],
    renewals: ['03-20', '04-20', '05-20'].map((day) => `2026-${day}T09:00:00.000Z`),
  },
  'before a monthly version': { updates: [late, { version: 2 }], renewals: LATE },
  'before a yearly version': {
    updates: [{ renews_at: UNMOVED[1] }, { version: 3 }],
    renewals: [UNMOVED[1] as string, '2027-05-01T12:00:00.000Z'],
  },
  'after a yearly version': {
    updates: [{ version: 3 }, late, PORTAL],
    renewals: [LATE[0] as string, '2027-05-10T00:00:00.000Z'],
  },
};

check(
  'SUB-82',
  { requirement: 'R-SUB-46 R-SUB-39 R-SUB-41', assumes: 'A-605 A-607', ...OPTIONS },
  'a renewal given at creation, or by an update before or after a change of version → the first one is then, and collects the fee; the next one is a month later, or a year if the version is yearly',
  (t) =>
    expectRenewals(t, VERSIONS, [
      '2026-03-20T08:59:59.999Z',
      '2026-03-20T09:00:00.000Z',
      '2026-05-01T12:00:00.000Z',
      '2026-05-09T23:59:59.999Z',
      '2026-05-10T00:00:00.000Z',
    ]),
);

check(
  'PRD-75',
  { ...OPTIONS, requirement: 'R-PRD-51', assumes: 'A-504 A-611' },
  'a subscriber with an older subscription without a fee, one that is paid ahead, and a later one that is paid, then past due, then paid → shows the later one while it is paid, else the older one',
  async (t) => {
    const world = await aCustomerWorld(t);
    const productId = await world.product({ prices: [aUnitPrice('call', 1)] });
    const older = await world.subscribe([productId]);
    await world.version(productId, { prices: [aFixedPrice(20), aUnitPrice('call', 2)] });
    await world.until('2026-03-01T18:00:00.000Z');
    const later = await world.subscribe([{ id: productId, version: 2 }]);
    const shown = async () => {
      const { items } = await world.call('listSubscribers', { path: { productId } });
      return items.map((item: { readonly subscription_id: string; readonly version: number }) => [
        item.subscription_id,
        item.version,
      ]);
    };
    expect(await shown(), 'before the payment').toEqual([[older.id, 1]]);
    const declining = { payment_method: { kind: 'card', declines_later: true } };
    const starts_at = '2026-06-01T12:00:00.000Z';
    const ahead = await world.subscribe([{ id: productId, version: 2 }], { starts_at });
    await world.settle(ahead.id, 'succeeded', declining);
    expect(await shown(), 'beside one that is paid ahead').toEqual([[older.id, 1]]);
    await world.settle(later.id, 'succeeded', declining);
    expect(await shown(), 'once it is paid').toEqual([[later.id, 2]]);
    await world.until('2026-04-02T18:00:00.000Z');
    expect(await shown(), 'past due').toEqual([[older.id, 1]]);
    await world.settle(later.id, 'succeeded', CARD);
    expect(await shown(), 'paid late').toEqual([[later.id, 2]]);
  },
);

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
  await world.settle(id, 'succeeded', CARD);
  return id;
}

check(
  'SUB-80',
  {
    requirement: 'R-PRD-52 R-SUB-36 R-SUB-39 R-SUB-50',
    assumes: 'A-505 A-204 A-603 A-605 A-607',
    ...OPTIONS,
  },
  'fees of two products → one payment collects both, and so does each renewal, a one-time price for each product; in several currencies → in the first that all have; rejected when there is none; of different intervals → rejected at creation and by a change of version; both → named by one rejection',
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
    for (const [one, other, mistakes] of [
      [priceIn(['USD'], 4), priceIn(['EUR'], 6), 1],
      [priceIn(['USD'], 10), yearly, 1],
      [priceIn(['EUR'], 4), yearly, 2],
    ] as const) {
      const apart = await aWorldWith(t, [one], [other]);
      const { errors } = await apart.world.subscribe(apart.products, {}, [422]);
      expect(Object.values(errors).flat()).toHaveLength(mistakes);
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
