import {
  ADDRESSES,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  completePaymentPage,
  describe,
  expect,
  openPaymentPage,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { pageAt } from './shared/top-ups.ts';

const urls = (name: string) => ({
  return_url: `https://contract.invalid/${name}/paid`,
  failure_url: `https://contract.invalid/${name}/failed`,
});

/** A world with a customer whose subscriptions await payment of their monthly fees. */
async function aDebtor(t: CheckContext) {
  const world = await aCustomerWorld(t);
  const { call, path } = world;
  const linkOf = async (id: string): Promise<string> =>
    (await world.subscription(id)).required_actions[0]?.redirect_url;
  return {
    ...world,
    linkOf,
    /** Subscribes to a new plan of this fee. Returns the subscription, its URLs and its link. */
    async owe(fee: number) {
      const plan = {
        ...{ name: `Plan ${fee}`, code: `plan-${fee}`, publish: true },
        prices: [aFixedPrice(fee), aUnitPrice('call', 1)],
        entitlements: [{ ...ENTITLEMENT, name: `C${fee}`, purpose: 'promotion', amount: fee }],
      };
      const { id: product } = await call('createProduct', { body: plan });
      const body = { products: [{ id: product }], ...ADDRESSES, ...urls(`${fee}`) };
      const { id } = await call('createSubscription', { path, body });
      return {
        id: id as string,
        product: product as string,
        ...urls(`${fee}`),
        link: await linkOf(id),
      };
    },
    /** All that a payment could change. */
    async state() {
      const { accounts } = await call('getWallet', { path });
      const account = { ...path, accountId: 'default:USD' };
      return {
        customer: await call('getCustomer', { path }),
        accounts,
        grants: accounts.length > 0 ? await call('listGrants', { path: account }) : undefined,
        stats: await call('getCustomerStats', { path }),
        log: await call('listWebhookEvents', {}),
      };
    },
    statuses: async () => {
      const { subscriptions } = await call('getCustomer', { path });
      return subscriptions.map((each: { readonly status: string }) => each.status).sort();
    },
  };
}

type Debtor = Awaited<ReturnType<typeof aDebtor>>;

/** Opens a link that asks for no payment, and expects to be led there and that nothing changes. */
async function expectSpent(world: Debtor, link: string, location: string): Promise<void> {
  const before = await world.state();
  for (const _ of [1, 2]) expect((await pageAt(link)).location).toBe(location);
  expect(await world.state()).toEqual(before);
}

/** Declines payments by a link, and expects that it is as before. */
async function expectDeclined(world: Debtor, link: string, failure_url: string): Promise<void> {
  const before = await world.state();
  for (const _ of [1, 2]) expect(await completePaymentPage(link, 'declined')).toBe(failure_url);
  expect(await world.state()).toEqual(before);
}

/**
 * Pays by a link in two windows and is declined in a third, all of which were opened before. Returns a function that
 * submits further windows, and expects that nothing changes.
 */
async function payTwice(world: Debtor, link: string, return_url: string) {
  const open = () => openPaymentPage(link);
  const [first, second, third, ...left] = [
    await open(),
    await open(),
    await open(),
    await open(),
    await open(),
  ];
  expect(await first('paid')).toBe(return_url);
  const before = await world.state();
  expect(await second('paid')).toBe(return_url);
  await third('declined');
  expect(await world.state()).toEqual(before);
  return async () => {
    const before = await world.state();
    expect(await left[0]?.('paid')).toBe(return_url);
    await left[1]?.('declined');
    expect(await world.state()).toEqual(before);
  };
}

describe('payment links of subscriptions', () => {
  check(
    'SUB-76',
    {
      requirement: 'R-SUB-38',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-604', 'A-605', 'A-606', 'A-1103'],
      needs: ['clock.movable', 'payment.completable'],
    },
    'payment links of two subscriptions, of a renewal that was declined and of one that was ended: declined again and again → leads to its failure_url and changes nothing; paid in two windows → leads to its return_url, one fee, one activation, one period, its credit once; opened again, also when it is replaced, in a later period or after the end → changes nothing',
    async (t) => {
      const world = await aDebtor(t);
      const [one, other] = [await world.owe(10), await world.owe(20)];
      await expectDeclined(world, one.link, one.failure_url);
      await world.until('2026-03-01T18:00:00.000Z');
      await expectDeclined(world, other.link, other.failure_url);
      await expectDeclined(world, one.link, one.failure_url);
      expect(await world.statuses()).toEqual(['action_required', 'action_required']);
      expect([await world.revenue(), await world.available()]).toEqual([0, 0]);

      const payAgain = await payTwice(world, one.link, one.return_url);
      expect(await world.subscription(one.id)).toMatchObject({
        status: 'active',
        started_at: '2026-03-01T18:00:00.000Z',
        renews_at: '2026-04-01T18:00:00.000Z',
      });
      expect([await world.revenue(), await world.available()]).toEqual([10, 10]);
      expect((await world.state()).log.items).toHaveLength(1);
      await expectSpent(world, one.link, one.return_url);
      await expectDeclined(world, other.link, other.failure_url);
      await world.until('2026-03-02T00:00:00.000Z');
      await expectSpent(world, one.link, one.return_url);

      // The other link is replaced after a day; the payment is then made by the new one.
      await world.until('2026-03-02T13:00:00.000Z');
      await expectSpent(world, other.link, other.failure_url);
      const next = await world.linkOf(other.id);
      await expectDeclined(world, next, other.failure_url);
      await payTwice(world, next, other.return_url);
      await expectSpent(world, next, other.return_url);
      await expectSpent(world, one.link, one.return_url);
      expect([await world.revenue(), await world.available()]).toEqual([30, 30]);
      expect((await world.state()).log.items).toHaveLength(2);

      // Neither pays a later period, nor activates what was ended.
      await world.until('2026-04-01T18:00:00.000Z');
      expect(await world.revenue()).toBe(40);
      await expectSpent(world, one.link, one.return_url);
      const place = { path: { ...world.path, subscriptionId: one.id } };
      await world.call('updateSubscription', { ...place, body: { status: 'inactive' } });
      await expectSpent(world, one.link, one.return_url);
      await payAgain();
      expect(await world.statuses()).toEqual(['active', 'inactive']);
    },
  );

  check(
    'SUB-77',
    {
      requirement: 'R-SUB-38',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-604', 'A-605', 'A-606', 'A-1103'],
      needs: ['clock.movable', 'payment.completable'],
    },
    'payment links of two subscriptions, of a renewal that was declined and of one that was ended: declined again and again → leads to its failure_url and changes nothing; paid in two windows → leads to its return_url, one fee, one activation, one period, its credit once; opened again, also when it is replaced, in a later period or after the end → changes nothing: ended, and of renewals',
    async (t) => {
      const world = await aDebtor(t);
      const { call, path } = world;
      const ended = await world.owe(10);
      const place = { path: { ...path, subscriptionId: ended.id } };
      await call('updateSubscription', { ...place, body: { status: 'inactive' } });
      await expectSpent(world, ended.link, ended.failure_url);
      await call('updateSubscription', { ...place, body: { status: 'active' } });
      await expectSpent(world, ended.link, ended.failure_url);
      const again = await world.linkOf(ended.id);
      expect(again).not.toBe(ended.link);
      await expectDeclined(world, again, ended.failure_url);
      expect([await world.statuses(), await world.revenue()]).toEqual([['action_required'], 0]);
      await call('updateSubscription', { ...place, body: { status: 'inactive' } });

      const due = await world.owe(20);
      const card = { kind: 'card', declines_later: true };
      const window = await openPaymentPage(due.link);
      const payment = { outcome: 'succeeded', payment_method: card };
      await call('settlePayment', { path: { id: due.id }, body: payment });
      await world.until('2026-04-02T12:00:00.000Z');
      expect([await world.statuses(), await world.revenue()]).toEqual([
        ['action_required', 'inactive'],
        20,
      ]);
      await expectSpent(world, due.link, due.return_url);
      const before = await world.state();
      expect(await window('paid')).toBe(due.return_url);
      expect(await world.state()).toEqual(before);
      const late = await world.linkOf(due.id);
      await expectDeclined(world, late, due.failure_url);
      await payTwice(world, late, due.return_url);
      expect(await world.revenue()).toBe(40);
      expect(await world.subscription(due.id)).toMatchObject({
        status: 'active',
        renews_at: '2026-05-01T12:00:00.000Z',
      });
      for (const link of [late, due.link]) await expectSpent(world, link, due.return_url);
      await expectSpent(world, again, ended.failure_url);
      expect((await world.state()).log.items).toHaveLength(2);
    },
  );
});
