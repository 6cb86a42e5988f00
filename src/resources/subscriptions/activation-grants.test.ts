import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { EVERY_MONTH, entitlement, ONE_MONTH } from '../../testing/catalog.ts';

const buyer = openBuyer();
const { api, product, subscribe, grants: granted, setClock } = buyer;

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
