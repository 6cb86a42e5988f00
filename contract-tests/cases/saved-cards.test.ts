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
import { ONE_TIME } from './shared/subscriptions.ts';

const OPTIONS = { level: 'ASSUMED', effect: 'E4', needs: 'clock.movable' } as const;

const GOOD = { kind: 'card' };
const DECLINING = { kind: 'card', declines_later: true };
const NONE = { kind: 'none' };

/** A customer in a world, whose payment method `save` replaces. */
async function aPayer(t: CheckContext, now?: string) {
  const world = await aCustomerWorld(t, now);
  const save = (body: object) => world.call('setPaymentMethod', { path: world.path, body });
  return { ...world, save };
}

/** What can be done with a customer on a free plan, whose version 2 has other prices. */
async function aFreePlan(t: CheckContext, prices: readonly object[]) {
  const world = await aPayer(t);
  const { call, path, save } = world;
  const subscriptionId = await world.subscribe([aUnitPrice('call')]);
  const [{ id: productId }] = (await world.subscription(subscriptionId)).products;
  await call('createProductVersion', { path: { productId }, body: { prices, publish: true } });
  const of = { ...path, subscriptionId };
  const set = (status: string) => call('updateSubscription', { path: of, body: { status } });
  const actions = {
    save: () => save(GOOD),
    remove: () => save(NONE),
    change: () =>
      call('updateSubscriptionProduct', { path: { ...of, productId }, body: { version: 2 } }),
    stop: () => set('inactive'),
    resume: () => set('active'),
  };
  return { ...world, subscriptionId, actions };
}

interface Paid {
  readonly prices: readonly object[];
  readonly steps: readonly ('save' | 'remove' | 'change' | 'stop' | 'resume')[];
  /** Revenue after the first renewal. */
  readonly revenue: number;
}

describe('a saved card', () => {
  table<Paid>(
    'SUB-84',
    { requirement: 'R-SUB-45', assumes: ['A-605', 'A-606', 'A-607', 'A-1107'], ...OPTIONS },
    'a card saved while the plan is free pays what a paid version then costs, whatever paid before',
    {
      // 20 on 1 April.
      'the first renewal': { prices: [aFixedPrice(20)], steps: ['save', 'change'], revenue: 20 },
      'the first renewal, after the card was removed and another saved': {
        prices: [aFixedPrice(20)],
        steps: ['save', 'change', 'remove', 'save'],
        revenue: 20,
      },
      // 20 on 1 March, and nothing again.
      'a one-time fee, at once': {
        prices: [aUnitPrice('call'), ONE_TIME],
        steps: ['save', 'change'],
        revenue: 20,
      },
      // 20 on 1 March and on 1 April.
      'a resumption, at once, and its renewal': {
        prices: [aFixedPrice(20)],
        steps: ['stop', 'change', 'save', 'resume'],
        revenue: 40,
      },
    },
    async ({ prices, steps, revenue }, t) => {
      const world = await aFreePlan(t, prices);
      for (const step of steps) await world.actions[step]();
      await world.until('2026-04-01T12:00:00.000Z');

      expect((await world.subscription(world.subscriptionId)).status).toBe('active');
      expect(await world.revenue()).toBe(revenue);
    },
  );
});

describe('a renewal that is not paid', () => {
  check(
    'SUB-85',
    { requirement: ['R-SUB-23', 'R-SUB-45'], assumes: ['A-605', 'A-1107'], ...OPTIONS },
    'two subscriptions with an unpaid renewal → their credit and a gift stay; a good card that is saved pays both at once, a declining one neither; the next renewals are where they were',
    async (t) => {
      const world = await aPayer(t);
      const ids: string[] = [];
      for (const fee of [20, 5])
        ids.push(await world.subscribe([aFixedPrice(fee)], [ENTITLEMENT], true));
      await world.adjust({ amount: 7, reason: 'gift', expires_at: '2026-06-01T00:00:00.000Z' });
      const seen = async () => {
        const statuses: string[] = [];
        for (const id of ids) statuses.push((await world.subscription(id)).status);
        return [...statuses, await world.revenue()];
      };
      await world.until('2026-04-01T12:00:00.000Z');

      // 20 + 5 on 1 March.
      expect(await seen()).toEqual(['action_required', 'action_required', 25]);
      // The gift, and the ten years of the credit of both plans.
      expect(await world.available()).toBe(17);
      expect([...(await world.ends())].sort()).toEqual([
        '2026-06-01T00:00:00.000Z',
        ...['2036-03-01T12:00:00.000Z', '2036-03-01T12:00:00.000Z'],
      ]);
      await world.save(DECLINING);
      expect(await seen()).toEqual(['action_required', 'action_required', 25]);
      await world.until('2026-04-02T12:00:00.000Z');
      await world.save(GOOD);
      // 25 for April, a day late; 25 for May on time.
      expect(await seen()).toEqual(['active', 'active', 50]);
      await world.until('2026-05-01T11:59:59.999Z');
      expect(await seen()).toEqual(['active', 'active', 50]);
      await world.until('2026-05-01T12:00:00.000Z');
      expect(await seen()).toEqual(['active', 'active', 75]);
    },
  );

  check(
    'SUB-86',
    { requirement: 'R-SUB-47', assumes: ['A-605', 'A-611', 'A-903', 'A-1107'], ...OPTIONS },
    'a fee of 20 for four weekly credits worth 5, its next renewal moved to the second week and not paid → each share of the fee is revenue when its credit ends or would have been given, and what is left when the renewal is paid',
    async (t) => {
      const lifecycle = { duration: 'week', refresh: { strategy: 'expire_and_replace' } };
      const weekly = { ...ENTITLEMENT, lifecycle, accounting: { revenue_basis: 1 } };
      const renews_at = '2026-02-10T12:00:00.000Z';
      const aPastDue = async () => {
        const world = await aPayer(t, '2026-02-01T12:00:00.000Z');
        const subscriptionId = await world.subscribe([aFixedPrice(20)], [weekly], true);
        const path = { ...world.path, subscriptionId };
        await world.call('updateSubscription', { path, body: { renews_at } });
        const revenueAt = async (moment: string) => {
          await world.until(moment);
          return world.revenue();
        };
        return { ...world, revenueAt };
      };
      const unpaid = await aPastDue();

      // The credit of the 1st has ended on the 8th.
      expect(await unpaid.revenueAt(renews_at)).toBe(5);
      // That of the 8th ends, and that of the 15th is not given.
      expect(await unpaid.revenueAt('2026-02-15T12:00:00.000Z')).toBe(15);
      // That of the 22nd is not given.
      expect(await unpaid.revenueAt('2026-02-22T12:00:00.000Z')).toBe(20);

      const paid = await aPastDue();
      expect(await paid.revenueAt('2026-02-16T12:00:00.000Z')).toBe(15);
      await paid.save(GOOD);
      // The next 20 are for credit of the 16th and 22nd of February, the 1st and 8th of March.
      expect(await paid.revenue()).toBe(20);
      expect(await paid.revenueAt('2026-02-22T12:00:00.000Z')).toBe(25);
    },
  );
});
