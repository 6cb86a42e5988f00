import { describe, expect, it } from 'vitest';
import { asNewAccount, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

const stats = (
  gross_revenue: number,
  total_costs: number,
  net_revenue: number,
  margin: number,
) => ({
  gross_revenue,
  total_costs,
  net_revenue,
  margin,
  currency: 'USD',
});

/** A customer with calls of 1 USD on three days, each with a cost of a vendor. */
async function aMonth() {
  const user = await aUser(client, { customer: { external_id: 'acme' } });
  const { key } = user;
  const vendor = await api('createVendor', { key, body: { name: 'Host' } }, 201);
  const call = (occurred_at: string, amount: number, category?: string) =>
    anEvent({
      occurred_at,
      costs: [{ id: nextUuid(), amount, vendor_id: vendor.id, ...(category && { category }) }],
    });
  await user.submit(
    call('2025-12-31T23:59:59.999Z', 0.5, 'storage'),
    call('2026-01-01T00:00:00.000Z', 0.25, 'inference'),
    call('2026-01-10T10:00:00.000Z', 0.125, 'inference'),
    call('2026-01-10T11:00:00.000Z', 0.0625),
  );
  await user.submit(call('2026-01-10T12:00:00.000Z', 2, 'egress'));
  return { ...user, vendorId: vendor.id as string };
}

describe('getCustomerStats', () => {
  it('sums up usage and charges of all time', async () => {
    const { key, customerId } = await aMonth();
    const path = { customerId };
    const charge = { transaction_id: nextUuid(), asset: 'USD', amount: 0.875 };
    await api('chargeWallet', { key, path, body: charge }, 201);
    // 5 calls and a charge have a revenue of 5.875 and a cost of 2.9375.
    expect(await api('getCustomerStats', { key, path }, 200)).toEqual(
      stats(5.875, 2.9375, 2.9375, 0.5),
    );
  });

  it('returns zeros without usage, and 404 for another account or an unknown id', async () => {
    const { key, customerId } = await aUser(client);
    const path = { customerId };
    expect(await api('getCustomerStats', { key, path }, 200)).toEqual(stats(0, 0, 0, 0));
    const headers = await asNewAccount(api, key);
    await api('getCustomerStats', { key, path, headers }, 404);
    await api('getCustomerStats', { key, path: { customerId: 'cust_none' } }, 404);
  });
});

describe('listCustomerStats', () => {
  it('covers the month up to today, and its summary covers all customers', async () => {
    const { key, customerId } = await aMonth();
    const other = await api('createCustomer', { key, body: { name: 'Idle' } }, 201);
    const page = await api('listCustomerStats', { key, query: { limit: 1 } }, 200);
    expect(page).toEqual({
      summary: stats(4, 2.4375, 1.5625, 0.390625),
      period_from: '2026-01-01',
      period_to: '2026-01-15',
      items: [
        {
          id: customerId,
          external_id: 'acme',
          name: 'Acme',
          stats: stats(4, 2.4375, 1.5625, 0.390625),
        },
      ],
      total_count: 2,
      limit: 1,
      offset: 0,
    });
    const rest = await api('listCustomerStats', { key, query: { offset: 1 } }, 200);
    expect(rest.items).toEqual([
      { id: other.id, external_id: null, name: 'Idle', stats: stats(0, 0, 0, 0) },
    ]);
  });

  it.each([
    { query: { period_from: '2025-12-31', period_to: '2025-12-31' }, revenue: 1 },
    { query: { period_from: '2025-12-01' }, revenue: 5 },
    { query: { period_from: '2026-01-10', period_to: '2026-01-10' }, revenue: 3 },
    { query: { period_from: '2026-01-02', period_to: '2026-01-09' }, revenue: 0 },
    { query: { period_to: '2025-12-31' }, revenue: 1 },
  ])('returns a revenue of $revenue for $query', async ({ query, revenue }) => {
    const { key } = await aMonth();
    const page = await api('listCustomerStats', { key, query }, 200);
    expect(page.summary.gross_revenue).toBe(revenue);
    expect(page.items[0].stats.gross_revenue).toBe(revenue);
  });

  it('returns 400 for a period that ends before it starts', async () => {
    const query = { period_from: '2026-01-02', period_to: '2026-01-01' };
    const { detail } = await api('listCustomerStats', { query }, 400);
    expect(detail).toContain('period_to');
  });
});

describe('getVendorStats', () => {
  it('sums up costs by category, those without one as uncategorized', async () => {
    const { key, vendorId } = await aMonth();
    const path = { vendorId };
    expect(await api('getVendorStats', { key, path }, 200)).toEqual({
      total_costs: 2.4375,
      categories: [
        { category: 'egress', cost: 2 },
        { category: 'inference', cost: 0.375 },
        { category: 'uncategorized', cost: 0.0625 },
      ],
    });
    const none = { category: 'uncategorized' };
    expect(await api('getVendorStats', { key, path, query: none }, 200)).toEqual({
      total_costs: 0.0625,
      categories: [{ category: 'uncategorized', cost: 0.0625 }],
    });
    const query = { category: 'storage', period_from: '2025-12-01', period_to: '2025-12-31' };
    expect(await api('getVendorStats', { key, path, query }, 200)).toMatchObject({
      total_costs: 0.5,
      categories: [{ category: 'storage' }],
    });
  });

  it('returns 400 for a reversed period and 404 for an unknown vendor', async () => {
    const { key, vendorId } = await aMonth();
    const query = { period_from: '2026-01-02', period_to: '2026-01-01' };
    await api('getVendorStats', { key, path: { vendorId }, query }, 400);
    await api('getVendorStats', { key, path: { vendorId: 'vnd_none' } }, 404);
  });
});
