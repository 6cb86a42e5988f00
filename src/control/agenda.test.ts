import { beforeEach, describe, expect, it } from 'vitest';
import { aCatalogProduct, EVERY_MONTH, entitlement, fixedPrice, URLS } from '../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../testing/client.ts';
import { nextUuid } from '../testing/usage.ts';

let client: TestClient;
let customerId: string;
beforeEach(() => open());

async function open(settings = {}): Promise<void> {
  client = createTestClient(settings);
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
}

async function give(expires_at?: string, amount = 10): Promise<void> {
  const body = { transaction_id: nextUuid(), asset: 'CREDIT', amount, reason: 'gift', expires_at };
  await client.api('adjustWallet', { path: { customerId }, body }, 201);
}

async function subscribe(): Promise<string> {
  await aCatalogProduct(client, 'plan', {
    prices: [fixedPrice(20)],
    entitlements: [entitlement(1000, EVERY_MONTH)],
  });
  const body = { products: [{ code: 'plan' }], ...URLS };
  const { id } = await client.api('createSubscription', { path: { customerId }, body }, 201);
  await client.control('settlePayment', { path: { id }, body: { outcome: 'succeeded' } }, 200);
  return id;
}

describe('listAgenda', () => {
  it('lists what is scheduled in order, what repeats once', async () => {
    await give('2026-03-01T00:00:00Z');
    await subscribe();
    const { items, total_count } = await client.control('listAgenda', {}, 200);

    expect(items.map(({ at, kind }: AnyBody) => [at, kind])).toEqual([
      ['2026-02-15T12:00:00.000Z', 'grant_expiry'],
      ['2026-02-15T12:00:00.000Z', 'renewal'],
      ['2026-02-15T12:00:00.000Z', 'refresh'],
      ['2026-03-01T00:00:00.000Z', 'grant_expiry'],
    ]);
    expect(total_count).toBe(4);
    const query = { offset: 1, limit: 2 };
    const page = await client.control('listAgenda', { query }, 200);
    expect(page).toEqual({ items: items.slice(1, 3), total_count: 4 });
  });
});
