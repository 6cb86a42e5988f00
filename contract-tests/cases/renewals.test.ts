import {
  aCustomerWorld,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
} from '../kit/index.ts';
import { moved } from './shared/times.ts';

const OPTIONS = { effect: 'E4', needs: 'clock.movable' } as const;

const CARD = { payment_method: { kind: 'card' } };

const recurring = (unit_price: number, interval: string, interval_count = 1) => ({
  ...aFixedPrice(unit_price),
  billing_model: { type: 'recurring', recurring: { interval, interval_count } },
});

/** Plans by the time of day and the days on which they start, then renew; in order of their starts. */
const PLANS: readonly (readonly [every: string, time: string, ...days: string[]])[] = [
  ['1 month', '00:00:00.000', '2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30'],
  ['1 year', '23:59:59.999', '2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
  ['3 month', '12:00:00.000', '2024-11-30', '2025-02-28', '2025-05-30', '2025-08-30'],
  ['1 month', '00:30:00.000', '2025-01-29', '2025-02-28', '2025-03-29', '2025-04-29'],
  ['1 month', '23:30:00.000', '2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30'],
  ['1 month', '23:59:59.999', '2025-02-28', '2025-03-28', '2025-04-28', '2025-05-28'],
  ['6 month', '00:00:00.000', '2025-08-31', '2026-02-28', '2026-08-31', '2027-02-28'],
  ['1 month', '12:00:00.000', '2025-10-31', '2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28'],
  ['1 week', '23:30:00.000', '2025-12-24', '2025-12-31', '2026-01-07', '2026-01-14'],
];

check(
  'SUB-68',
  { requirement: 'R-SUB-39', assumes: 'A-605', ...OPTIONS },
  'subscriptions by the week, by one or more months and by the year that start at either end of days and months → each renewal at that time of day, on the anchor day or the last one of a shorter month, shown until it is due',
  async (t) => {
    const plans = PLANS.map(([every, time, ...days]) => {
      const [start = '', ...renewals] = days.map((day) => `${day}T${time}Z`);
      const [count = '', interval = ''] = every.split(' ');
      return { every, start, renewals, price: recurring(10, interval, Number(count)) };
    });
    const world = await aCustomerWorld(t, plans[0]?.start);
    // Looks at all plans just before the first renewal of each, and at its last but one.
    const looks = plans.flatMap(({ renewals }) => [
      moved(renewals[0] as string, -1),
      renewals.at(-2) as string,
    ]);
    const ids = new Map<string, (typeof plans)[number]>();
    let here = plans[0]?.start;
    for (const moment of [...new Set([...plans.map(({ start }) => start), ...looks])].sort()) {
      if (moment !== here) await world.until(moment);
      here = moment;
      for (const plan of plans) {
        if (plan.start !== moment) continue;
        const { id } = await world.subscribe([await world.product({ prices: [plan.price] })]);
        await world.settle(id, 'succeeded', CARD);
        ids.set(id, plan);
      }
      if (!looks.includes(moment)) continue;
      const { subscriptions } = await world.call('getCustomer', { path: world.path });
      for (const { id, renews_at } of subscriptions) {
        const { every, start, renewals } = ids.get(id) as (typeof plans)[number];
        const next = renewals.find((at) => at > moment);
        if (next) expect(renews_at, `every ${every} from ${start}, at ${moment}`).toBe(next);
      }
    }
  },
);

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
        await world.version(productId, { prices: [recurring(fee, interval)] });
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
const EARLY = ['2026-03-31T23:59:59.999Z', '2026-04-30T23:59:59.999Z', '2026-05-31T23:59:59.999Z'];
const LATE = ['2026-05-10T00:00:00.000Z', '2026-06-10T00:00:00.000Z'];
const [early, late, same] = [EARLY, LATE, UNMOVED].map(([renews_at]) => ({ renews_at }));

const RETURN = { return_url: 'https://contract.invalid/again' };
const FAILURE = { failure_url: 'https://contract.invalid/failed-again' };
const PORTAL = { redirect_to: 'portal' };

const FIELDS: Readonly<Record<string, Renewed>> = {
  'an earlier renewal': { updates: [early as object], renewals: EARLY },
  'a later renewal': { updates: [late as object], renewals: LATE },
  'the same renewal': { updates: [same as object], renewals: UNMOVED },
  'no renewal': { updates: [{ renews_at: null }], renewals: UNMOVED },
  URLs: { updates: [RETURN, FAILURE], renewals: UNMOVED },
  'what keeps it': {
    updates: [PORTAL, { redirect_to: null }, { status: 'active' }],
    renewals: UNMOVED,
  },
  'a later renewal before others': {
    updates: [late as object, RETURN, { status: 'active' }],
    renewals: LATE,
  },
  'a later renewal after others': { updates: [FAILURE, late as object], renewals: LATE },
  'an earlier renewal beside others': {
    updates: [{ ...early, ...FAILURE, ...PORTAL }],
    renewals: EARLY,
  },
};

const VERSIONS: Readonly<Record<string, Renewed>> = {
  'at creation': {
    terms: { renews_at: '2026-03-20T09:00:00.000Z' },
    updates: [],
    renewals: ['03-20', '04-20', '05-20'].map((day) => `2026-${day}T09:00:00.000Z`),
  },
  'before a monthly version': { updates: [late as object, { version: 2 }], renewals: LATE },
  'before a yearly version': {
    updates: [{ renews_at: UNMOVED[1] }, { version: 3 }],
    renewals: [UNMOVED[1] as string, '2027-05-01T12:00:00.000Z'],
  },
  'after a yearly version': {
    updates: [{ version: 3 }, late as object, PORTAL],
    renewals: [LATE[0] as string, '2027-05-10T00:00:00.000Z'],
  },
};

check(
  'SUB-69',
  { requirement: 'R-SUB-39 R-SUB-41', assumes: 'A-605 A-606 A-610', ...OPTIONS },
  'a running monthly subscription after updates by each field → shows the renewal asked for, else the one it had; nothing is collected before, the fee exactly then and a month later',
  (t) =>
    expectRenewals(t, FIELDS, [
      '2026-03-31T23:59:59.998Z',
      '2026-04-01T11:59:59.999Z',
      '2026-04-01T12:00:00.000Z',
      '2026-05-09T23:59:59.999Z',
      '2026-05-10T00:00:00.000Z',
    ]),
);

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
