import { beforeEach, describe, expect, it } from 'vitest';
import {
  aCatalogProduct,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  grantsOf,
  ONE_MONTH,
  setWorldClock,
  URLS,
} from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

const BASE = 'https://billing.example.com';

let client: TestClient;
let customerId: string;
beforeEach(async () => {
  client = createTestClient({ public_url: BASE });
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
});

const product = (code: string, content: object) => aCatalogProduct(client, code, content);
const subscribe = (body: object, status = 201) =>
  client.api('createSubscription', { path: { customerId }, body }, status);

describe('what an activation grants', () => {
  beforeEach(async () => {
    await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  });

  it('ends a one-off promotion of a month on the clipped day', async () => {
    setWorldClock(client, '2026-01-31T10:00:00Z');
    await product('promo', { entitlements: [entitlement(500, ONE_MONTH)] });

    await subscribe({ products: [{ code: 'promo' }] });

    expect(await grantsOf(client, customerId)).toMatchObject([
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

  it('gives each entitlement of each product, with and without an end', async () => {
    await product('a', {
      entitlements: [entitlement(1), entitlement(2, { ...EVERY_MONTH, purpose: 'bundled' })],
    });
    await product('b', {
      entitlements: [entitlement(3, { lifecycle: { duration: 'week', duration_count: 2 } })],
    });

    await subscribe({ products: [{ code: 'a' }, { code: 'b' }] });

    const grants = await grantsOf(client, customerId);
    expect(grants.map(({ amount, expires_at }) => [amount, expires_at])).toEqual([
      [1, null],
      [2, '2026-02-15T12:00:00.000Z'],
      [3, '2026-01-29T12:00:00.000Z'],
    ]);
    const path = { customerId, transactionId: grants[1]?.transaction_id };
    expect(await client.api('getWalletTransaction', { path }, 200)).toMatchObject({
      type: 'adjustment',
      amount: 2,
    });
    const { items } = await client.control('listLedgerTransactions', {}, 200);
    expect(items[1]).toMatchObject({ source: 'entitlement', amount: 2, balance_after: 3 });
  });

  it('repays debt first', async () => {
    await product('promo', { entitlements: [entitlement(500)] });
    const debt = {
      transaction_id: '00000000-0000-4000-8000-000000000001',
      asset: 'CREDIT',
      amount: -30,
      reason: 'external_refund',
    };
    await client.api('adjustWallet', { path: { customerId }, body: debt }, 201);

    await subscribe({ products: [{ code: 'promo' }] });

    expect(await grantsOf(client, customerId)).toMatchObject([{ amount: 500, remaining: 470 }]);
  });

  it('waits with it for the payment', async () => {
    await product('plan', { prices: [fixedPrice(20)], entitlements: [entitlement(500)] });

    await subscribe({ products: [{ code: 'plan' }], ...URLS });

    expect(await grantsOf(client, customerId)).toEqual([]);
  });
});
