import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import {
  EVERY_DAY,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  inWorld,
  ONE_MONTH,
  UNUSED,
  URLS,
} from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';
import { grantEntitlements } from './entitlements.ts';

const buyer = openBuyer();
const { api, product, show, grants: granted, activations, setClock, act, pay } = buyer;
const subscribe = async (body: object): Promise<string> =>
  (await buyer.subscribe({ ...URLS, ...body })).id;

describe('a subscription that is paid', () => {
  it('becomes active, and its periods count from the payment', async () => {
    await product('plan', {
      prices: [fixedPrice(20)],
      entitlements: [entitlement(1000, EVERY_MONTH)],
    });
    const id = await subscribe({ products: [{ code: 'plan' }] });
    setClock('2026-01-31T10:00:00Z');
    pay(id);

    expect(await show()).toEqual({
      id,
      status: 'active',
      products: [{ id: expect.any(String), code: 'plan', version: 1 }],
      started_at: '2026-01-31T10:00:00.000Z',
      renews_at: '2026-02-28T10:00:00.000Z',
      required_actions: [],
    });
    expect(await granted()).toMatchObject([
      { amount: 1000, expires_at: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await activations()).toBe(1);
  });

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

describe('a repeated activation', () => {
  it('grants nothing twice at the same instant', async () => {
    await product('promo', {
      entitlements: [entitlement(5), entitlement(6, { ...EVERY_MONTH, name: 'Monthly' })],
    });
    const id = await subscribe({ products: [{ code: 'promo' }] });
    act(id, (context, row) => grantEntitlements(context, row, 'start'));

    const grants = await granted();

    expect(grants).toHaveLength(2);
    expect(grants[0]).toMatchObject({ effective_at: TEST_NOW });
  });
});

describe('the grants of an activation', () => {
  it('expire after a month on the last day of a shorter month', async () => {
    setClock('2026-01-31T10:00:00Z');
    await product('promo', { entitlements: [entitlement(500, ONE_MONTH)] });

    await subscribe({ products: [{ code: 'promo' }] });

    expect(await granted()).toMatchObject([
      {
        account_id: 'default:CREDIT',
        purpose: 'promotion',
        source: 'entitlement',
        amount: 500,
        remaining: 500,
        effective_at: '2026-01-31T10:00:00.000Z',
        expires_at: '2026-02-28T10:00:00.000Z',
      },
    ]);
  });

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

  it('repay debt first', async () => {
    await product('promo', { entitlements: [entitlement(500)] });
    const debt = {
      transaction_id: '00000000-0000-4000-8000-000000000001',
      asset: 'CREDIT',
      amount: -30,
      reason: 'external_refund',
    };
    await api('adjustWallet', { path: { customerId: buyer.customerId }, body: debt }, 201);

    await subscribe({ products: [{ code: 'promo' }] });

    expect(await granted()).toMatchObject([{ amount: 500, remaining: 470 }]);
  });
});
