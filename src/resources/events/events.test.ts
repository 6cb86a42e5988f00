import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent, nextUuid } from '../../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('submitEvents', () => {
  it('stores an event with its fees and costs', async () => {
    const user = await aUser(client, {
      prices: [
        {
          name: 'Tokens',
          usage_type: 'volume',
          volume_field: 'tokens',
          billable_dimensions: ['model'],
          values: [
            { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1000 },
          ],
        },
      ],
    });
    const vendorId = await user.vendor({ external_id: 'host' });
    const cost = {
      id: nextUuid(),
      amount: 0.003,
      vendor_external_id: 'host',
      category: 'inference',
      description: null,
      metadata: { retries: 0, share: 0.0000001 },
      units: 2,
      package_size: 0.5,
    };
    const sent = anEvent({
      occurred_at: '2026-01-15T13:00:00.1239+02:00',
      subject: 'chat-42',
      description: 'An answer',
      data: { model: 'large', tokens: 1200, tiny: 1e-7, cached: false },
      costs: [cost],
    });
    await user.submit(sent);

    const stored = await user.event(sent.id);
    expect(stored).toEqual({
      id: sent.id,
      customer_id: user.customerId,
      event_type: 'call',
      occurred_at: '2026-01-15T11:00:00.123Z',
      created_at: '2026-01-15T12:00:00.000Z',
      subject: 'chat-42',
      description: 'An answer',
      data: { model: 'large', tokens: 1200, tiny: 1e-7, cached: false },
      costs: [
        {
          id: cost.id,
          amount: 0.003,
          currency: 'USD',
          vendor_id: vendorId,
          vendor_external_id: 'host',
          category: 'inference',
          metadata: { retries: 0, share: 1e-7 },
          units: 2,
          package_size: 0.5,
        },
      ],
      fees: [
        {
          id: expect.stringMatching(/^fee_[0-9a-z]{26}$/),
          product_id: user.productId,
          product_code: 'product',
          product_version: 1,
          price_id: expect.stringMatching(/^prc_/),
          price_name: 'Large',
          currency: 'USD',
          usage_type: 'volume',
          amount: 12,
          dimensions: { model: 'large' },
          volume_field: 'tokens',
          input_volume: 1200,
          unit_price: null,
          volume_rate: 10,
          package_size: 1000,
        },
      ],
      stats: {
        gross_revenue: 12,
        total_costs: 0.003,
        net_revenue: 11.997,
        margin: 0.99975,
        currency: 'USD',
      },
    });
    expect(await user.balances()).toEqual({ 'default:USD': -12 });
  });

  it('stores the quantities of a cost as given, and counts only its amount', async () => {
    const user = await aUser(client);
    const vendor_id = await user.vendor();
    const quantities = { units: -3, unit_price: -0.5, input_volume: -1, volume_rate: 0 };
    const cost = { id: nextUuid(), amount: 0.25, vendor_id, ...quantities, package_size: 0 };
    const sent = anEvent({ costs: [cost] });
    await user.submit(sent);
    const { costs, stats } = await user.event(sent.id);

    expect(costs).toMatchObject([{ amount: 0.25, ...quantities, package_size: 0 }]);
    expect(stats.total_costs).toBe(0.25);
  });

  it('posts one ledger transaction for each fee, and none for a fee of 0', async () => {
    const prices = [{ values: [{ unit_price: 2 }] }, { values: [{ unit_price: 0 }] }];
    const user = await aUser(client, { prices });
    const sent = anEvent({ subject: 'chat', description: 'A call' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(fees.map(({ amount }: AnyBody) => amount)).toEqual([2, 0]);
    const transactions = [...user.world().tables.transactions.values()];
    expect(transactions).toMatchObject([
      {
        source: 'usage',
        postings: [{ from: 'wallet', to: 'revenue', amount: '2' }],
        balance_after: '-2',
        event_id: sent.id,
        fee_id: fees[0].id,
        subject: 'chat',
        description: 'A call',
      },
    ]);
    const page = await api('listEvents', { key: user.key }, 200);
    expect(page.items[0]).toMatchObject({ has_fees: true, total_fees: 2, fee_currency: 'USD' });
  });

  it('bills usage in full even if the setting overdraft is deny', async () => {
    const strict = createTestClient({ overdraft: 'deny' });
    const user = await aUser(strict);
    await user.submit(anEvent(), anEvent());
    expect(await user.balances()).toEqual({ 'default:USD': -2 });
  });
});

describe('listEvents', () => {
  it('returns an event with its fees and stats', async () => {
    const user = await aUser(client, { customer: { external_id: 'acme' } });
    const sent = anEvent({ occurred_at: '2026-01-10T00:00:00.000Z', subject: 'chat' });
    await user.submit(sent);

    const { items } = await api('listEvents', { key: user.key, query: { event_id: sent.id } }, 200);
    expect(items).toEqual([
      {
        id: sent.id,
        customer_id: user.customerId,
        external_id: 'acme',
        event_type: 'call',
        occurred_at: '2026-01-10T00:00:00.000Z',
        created_at: '2026-01-15T12:00:00.000Z',
        subject: 'chat',
        has_fees: true,
        total_fees: 1,
        fee_currency: 'USD',
        stats: {
          gross_revenue: 1,
          total_costs: 0,
          net_revenue: 1,
          margin: 1,
          currency: 'USD',
        },
      },
    ]);
  });

  it('returns 400 for a period that ends before it starts', async () => {
    const query = { period_from: '2026-01-02', period_to: '2026-01-01' };
    const { detail } = await api('listEvents', { query }, 400);
    expect(detail).toContain('period_to');
  });
});
