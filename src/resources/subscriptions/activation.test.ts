import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import {
  EVERY_DAY,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  inWorld,
  UNUSED,
  URLS,
} from '../../testing/catalog.ts';
import { grantEntitlements } from './entitlements.ts';

const buyer = openBuyer();
const { api, product, show, grants: granted, setClock, act, pay } = buyer;
const subscribe = async (body: object): Promise<string> =>
  (await buyer.subscribe({ ...URLS, ...body })).id;

describe('a subscription that is paid', () => {
  it('keeps a requested renews_at, or renews a month later if that has passed', async () => {
    await product('plan', { prices: [fixedPrice(20)] });
    const renews_at = '2026-01-20T00:00:00.000Z';
    const id = await subscribe({ products: [{ code: 'plan' }], renews_at });
    const late = await subscribe({ products: [{ code: 'plan' }], renews_at });
    pay(id);
    setClock('2026-01-21T00:00:00Z');
    pay(late);

    expect((await show(0)).renews_at).toBe(renews_at);
    expect((await show(1)).renews_at).toBe('2026-02-20T00:00:00.000Z');
  });

  it('starts at the payment if starts_at has passed', async () => {
    await product('plan', { prices: [fixedPrice(20)] });
    const id = await subscribe({ products: [{ code: 'plan' }], starts_at: '2026-01-16T00:00:00Z' });
    setClock('2026-01-17T00:00:00Z');
    pay(id);

    expect(await show()).toMatchObject({
      started_at: '2026-01-17T00:00:00.000Z',
      renews_at: '2026-02-17T00:00:00.000Z',
    });
  });
});

describe('entitlements that refresh', () => {
  const refreshAt = (id: string, at: string) => {
    setClock(at);
    act(id, (context, row) => grantEntitlements(context, row, 'refresh'));
  };
  const refreshesAt = (id: string) =>
    inWorld(buyer.client, ({ tables }) => tables.subscriptions.get(id)?.refreshes_at);
  const amounts = async () => (await granted()).map(({ amount }) => amount);

  it('store the time of the earliest next refresh', async () => {
    await product('daily', { entitlements: [entitlement(50, EVERY_DAY)] });
    await product('monthly', { entitlements: [entitlement(900, EVERY_MONTH)] });
    const id = await subscribe({ products: [{ code: 'monthly' }, { code: 'daily' }] });
    expect(refreshesAt(id)).toBe('2026-01-16T12:00:00.000Z');

    refreshAt(id, '2026-01-16T12:00:00Z');

    expect(await amounts()).toEqual([900, 50, 50]);
    expect(refreshesAt(id)).toBe('2026-01-17T12:00:00.000Z');
  });

  it('switch to another version when the credit of the former one expires', async () => {
    const productId = await product('plan', {
      entitlements: [entitlement(100, { ...EVERY_MONTH, name: 'Included' }), entitlement(7)],
    });
    const entitlements = [entitlement(50, { ...EVERY_DAY, name: 'Included' }), entitlement(7)];
    await buyer.version(productId, { prices: [UNUSED], entitlements });
    const subscriptionId = await subscribe({ products: [{ code: 'plan' }] });
    await buyer.change(subscriptionId, productId, 2);
    refreshAt(subscriptionId, '2026-01-16T12:00:00Z');
    expect(await amounts()).toEqual([100, 7]);
    expect(refreshesAt(subscriptionId)).toBe('2026-02-15T12:00:00.000Z');

    refreshAt(subscriptionId, '2026-02-15T12:00:00Z');

    expect(await amounts()).toEqual([100, 7, 50]);
    expect(refreshesAt(subscriptionId)).toBe('2026-02-16T12:00:00.000Z');
  });
});

describe('the grants of an activation', () => {
  it('include each entitlement of each product', async () => {
    await product('a', {
      entitlements: [entitlement(1), entitlement(2, { ...EVERY_MONTH, purpose: 'bundled' })],
    });
    await product('b', {
      entitlements: [entitlement(3, { lifecycle: { duration: 'week', duration_count: 2 } })],
    });

    await subscribe({ products: [{ code: 'a' }, { code: 'b' }] });

    const grants = await granted();
    expect(grants.map(({ amount, expires_at }) => [amount, expires_at])).toEqual([
      [1, '2126-01-15T12:00:00.000Z'],
      [2, '2026-02-15T12:00:00.000Z'],
      [3, '2026-01-29T12:00:00.000Z'],
    ]);
    const path = { customerId: buyer.customerId, transactionId: grants[1]?.transaction_id };
    expect(await api('getWalletTransaction', { path }, 200)).toMatchObject({
      type: 'adjustment',
      amount: 2,
    });
    const { items } = await buyer.client.control('listLedgerTransactions', {}, 200);
    expect(items[1]).toMatchObject({ source: 'entitlement', amount: 2, balance_after: 3 });
  });
});
