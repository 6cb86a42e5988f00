import {
  aCustomerWorld,
  aFixedPrice,
  aUnitPrice,
  type CheckContext,
  check,
  expect,
  leadsTo,
  openPaymentPage,
} from '../kit/index.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { pageAt } from './shared/wallets.ts';

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
  /** All that a payment could change. */
  const state = async () => ({
    customer: await call('getCustomer', { path }),
    wallet: await call('getWallet', { path }),
    stats: await call('getCustomerStats', { path }),
    log: await call('listWebhookEvents', {}),
  });
  let known: Awaited<ReturnType<typeof state>>;
  return {
    ...world,
    linkOf,
    /** Subscribes to a new plan of this fee, with as much credit. Returns the subscription, its URLs and its link. */
    async owe(fee: number) {
      const product = await world.product({
        prices: [aFixedPrice(fee), aUnitPrice('call', 1)],
        entitlements: [{ ...ENTITLEMENT, name: `C${fee}`, purpose: 'promotion', amount: fee }],
      });
      const { id } = await world.subscribe([product], urls(`${fee}`));
      return { id: id as string, ...urls(`${fee}`), link: await linkOf(id) };
    },
    /** Expects these statuses, revenue, credit and activations, from which the next steps are to change nothing. */
    async expectState(statuses: readonly string[], ...amounts: readonly number[]) {
      known = await state();
      const { customer, wallet, stats, log } = known;
      const shown = customer.subscriptions.map((each: { readonly status: string }) => each.status);
      expect(shown.sort(), 'statuses').toEqual(statuses);
      const credit = wallet.accounts[0]?.available ?? 0;
      expect([stats.gross_revenue, credit, log.items.length], 'revenue, credit, events').toEqual(
        amounts,
      );
    },
    async expectUnchanged(step: string) {
      expect(await state(), step).toEqual(known);
    },
  };
}

type Debtor = Awaited<ReturnType<typeof aDebtor>>;

/** Opens links that ask for no payment, twice each, and expects to be led to these URLs and that nothing changes. */
async function expectSpent(
  world: Debtor,
  ...links: readonly (readonly [link: string, location: string])[]
): Promise<void> {
  for (const [link, location] of [...links, ...links])
    expect((await pageAt(link)).location, 'of a link that is not paid').toBe(location);
  await world.expectUnchanged('opening links that are not paid');
}

/** Declines payments by links, twice each, and expects that nothing changes. */
async function expectDeclined(
  world: Debtor,
  ...links: readonly (readonly [link: string, failure_url: string])[]
): Promise<void> {
  for (const [link, failure_url] of [...links, ...links])
    expect(await leadsTo(link, 'declined'), 'after a decline').toBe(failure_url);
  await world.expectUnchanged('declined payments');
}

/** Opens a link in several windows. Returns functions to pay in the first, and to pay and be declined in the others. */
async function windowsOf(link: string, return_url: string) {
  const windows = [];
  for (const _ of [1, 2, 3]) windows.push(await openPaymentPage(link));
  const [first, second, third] = windows;
  return {
    pay: async () => expect(await first?.('paid'), 'after a payment').toBe(return_url),
    async payAgain() {
      expect(await second?.('paid'), 'after a second payment').toBe(return_url);
      await third?.('declined');
    },
  };
}

const OPTIONS = {
  requirement: 'R-SUB-38',
  effect: 'E4',
  assumes: 'A-604 A-605 A-606 A-1103',
  needs: 'clock.movable payment.completable',
} as const;

check(
  'SUB-76',
  OPTIONS,
  'payment links of two subscriptions: declined again and again → leads to its failure_url and changes nothing; paid in two windows → leads to its return_url, one fee, one activation, one period, its credit once; opened or paid again, also in a later period or after the end → changes nothing; of one that ended unpaid → leads to its failure_url',
  async (t) => {
    const world = await aDebtor(t);
    const [one, other] = [await world.owe(10), await world.owe(20)];
    await world.expectState(['action_required', 'action_required'], 0, 0, 0);
    await expectDeclined(world, [one.link, one.failure_url]);
    await world.until('2026-03-01T18:00:00.000Z');
    await expectDeclined(world, [other.link, other.failure_url], [one.link, one.failure_url]);

    const [windows, late] = [
      await windowsOf(one.link, one.return_url),
      await windowsOf(one.link, one.return_url),
    ];
    await windows.pay();
    await world.expectState(['action_required', 'active'], 10, 10, 1);
    expect(await world.subscription(one.id)).toMatchObject({
      status: 'active',
      started_at: '2026-03-01T18:00:00.000Z',
      renews_at: '2026-04-01T18:00:00.000Z',
    });
    await windows.payAgain();
    await expectSpent(world, [one.link, one.return_url]);
    await expectDeclined(world, [other.link, other.failure_url]);

    // It neither pays a later period, nor activates what was ended.
    await world.until('2026-04-01T18:00:00.000Z');
    await world.expectState(['action_required', 'active'], 20, 10, 1);
    await expectSpent(world, [one.link, one.return_url]);
    await world.update(one.id, { status: 'inactive' });
    await world.update(other.id, { status: 'inactive' });
    await world.expectState(['inactive', 'inactive'], 20, 10, 1);
    await late.payAgain();
    await expectSpent(world, [one.link, one.return_url], [other.link, other.failure_url]);
  },
);

check(
  'SUB-59',
  { ...OPTIONS, requirement: 'R-LIM-18 R-SUB-38', assumes: `${OPTIONS.assumes} A-607` },
  'payment link of an unpaid subscription, also after a bank debit that failed → the same until it is abandoned or for 24 hours, then another for 24 hours, and the former leads to failure_url; with a bank debit on its way → the same until that fails, then another, and no other version; paid then → renews a month after',
  async (t) => {
    const world = await aDebtor(t);
    const { id, link: first, return_url, failure_url } = await world.owe(20);
    await world.settle(id, 'processing');
    const productId = (await world.subscription(id)).products[0].id;
    await world.version(productId, { prices: [aFixedPrice(30)] });
    await world.change(id, productId, 2, [422]);
    await world.settle(id, 'failed');
    await world.until('2026-03-01T18:00:00.000Z');
    expect(await world.linkOf(id), 'after a bank debit that failed').toBe(first);
    await world.settle(id, 'abandoned');
    const links = [first, await world.linkOf(id)];
    expect(links[1], 'after it was abandoned').not.toBe(first);
    for (const [day, isOnItsWay] of [
      ['02', false],
      ['03', true],
    ] as const) {
      await world.until(`2026-03-${day}T17:59:59.999Z`);
      if (isOnItsWay) await world.settle(id, 'processing');
      expect(await world.linkOf(id), 'within 24 hours').toBe(links.at(-1));
      await world.until(`2026-03-${day}T18:00:00.000Z`);
      if (isOnItsWay) {
        expect(await world.linkOf(id), 'with a payment on its way').toBe(links.at(-1));
        await world.settle(id, 'failed');
      }
      const next = await world.linkOf(id);
      expect(links, 'after 24 hours').not.toContain(next);
      links.push(next);
    }
    const latest = links.pop() as string;
    await world.expectState(['action_required'], 0, 0, 0);
    const former = links.map((link) => [link, failure_url] as const);
    await expectSpent(world, ...former);
    await expectDeclined(world, [latest, failure_url]);
    const windows = await windowsOf(latest, return_url);
    await windows.pay();
    await world.expectState(['active'], 20, 20, 1);
    expect(await world.subscription(id)).toMatchObject({
      status: 'active',
      started_at: '2026-03-03T18:00:00.000Z',
      renews_at: '2026-04-03T18:00:00.000Z',
    });
    await windows.payAgain();
    await expectSpent(world, [latest, return_url]);
  },
);
