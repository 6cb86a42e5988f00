import { describe, expect, it } from 'vitest';
import { anEvent, CREDIT_ASSET, usagePrice } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/story.ts';

const client = createTestClient();
const { api } = client;

describe('submitEvents, choice of prices', () => {
  it('lists and pays fees in the order in which the subscriptions that bill them started', async () => {
    const assets = [CREDIT_ASSET];
    const user = await aUser(client, { assets });
    const { key, customerId } = user;
    const inCredit = { asset: 'CREDIT', values: [{ unit_price: 10 }] };
    const plan = (code: string, usd: number) => {
      const price = usagePrice({ event_type: 'page' });
      const pricing = [inCredit, { asset: 'USD', values: [{ unit_price: usd }] }];
      return { name: code, code, publish: true, prices: [{ ...price, pricing }] };
    };
    await api('createProduct', { key, body: plan('alpha', 1) }, 201);
    await api('createProduct', { key, body: plan('beta', 50) }, 201);
    await user.credit('CREDIT', 10);
    await user.credit('USD', 100);
    for (const products of [[{ code: 'alpha' }, { code: 'beta' }], [{ code: 'alpha' }]])
      await api('createSubscription', { key, path: { customerId }, body: { products } }, 201);
    const sent = anEvent({ event_type: 'page' });
    await user.submit(sent);

    const { fees } = await user.event(sent.id);
    expect(
      fees.map(({ product_code, currency, amount }: AnyBody) => [product_code, currency, amount]),
    ).toEqual([
      ['beta', 'CREDIT', 10],
      ['alpha', 'USD', 1],
    ]);
  });

  it('stores the terms of a fee once for all customers, and the products once for all events of one', async () => {
    const user = await aUser(client);
    const { key, productId } = user;
    const other = { name: 'Other', subscriptions: [{ products: [{ id: productId }] }] };
    const { id } = await api('createCustomer', { key, body: other }, 201);
    for (const customer_id of [user.customerId, user.customerId, id])
      await api('submitEvents', { key, body: { customer_id, events: [anEvent()] } }, 204);

    const stored = [...user.world().tables.events.values()];
    const terms = stored.flatMap(({ fees }) => fees.map((fee) => fee.terms));
    expect([stored.length, terms.length, new Set(terms).size]).toEqual([3, 3, 1]);
    expect(new Set(stored.map(({ billed_by }) => billed_by)).size).toBe(2);
  });
});

describe('features that are not emulated', () => {
  const usage = {
    name: 'Usage',
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: { event_type: 'e', usage_type: 'unit' },
    pricing: [{ asset: 'USD', values: [{ unit_price: 1 }] }],
  };
  const fixed = {
    name: 'Fee',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval: 'month' } },
    pricing: [{ asset: 'USD', values: [{ unit_price: 1 }] }],
  };
  const calculation = usage.usage_calculation;

  it.each([
    ['custom models', { ...usage, pricing_model: 'custom' }, 'pricing_model'],
    ['custom periods', { ...usage, tiering: { period: 'custom' } }, 'tiering.period'],
    ['collection', { ...usage, collection: {} }, 'collection'],
    ['funding destinations', { ...usage, funding_destination: 'x' }, 'funding_destination'],
    [
      'custom intervals',
      { ...fixed, billing_model: { type: 'recurring', recurring: { interval: 'custom' } } },
      'billing_model.recurring.interval',
    ],
    [
      'custom service periods',
      { ...fixed, billing_model: { type: 'one_time', one_time: { service_period: 'custom' } } },
      'billing_model.one_time.service_period',
    ],
    [
      'other counts',
      { ...usage, usage_calculation: { ...calculation, unit_aggregation: 'unique' } },
      'usage_calculation.unit_aggregation',
    ],
    [
      'other sums',
      { ...usage, usage_calculation: { ...calculation, volume_aggregation: 'max' } },
      'usage_calculation.volume_aggregation',
    ],
    ['models of fixed prices', { ...fixed, pricing_model: 'bulk' }, 'pricing_model'],
    ['usage that recurs', { ...usage, billing_model: fixed.billing_model }, 'billing_model.type'],
  ])('are rejected at their field in a price: %s', async (_, price, field) => {
    const body = { name: 'Product', code: 'product', prices: [price] };
    const { errors } = await api('createProduct', { body }, 422);

    expect(errors[`prices[0].${field}`]).toEqual([expect.stringContaining('not emulated')]);
  });

  it.each([
    ['collection of a product', { collection: 'x' }, 'collection'],
    ['funding of a product', { funding_destination: 'x' }, 'funding_destination'],
    [
      'custom usage',
      { prices: [{ ...usage, usage_calculation: { ...calculation, usage_type: 'custom' } }] },
      'prices[0].usage_calculation.usage_type',
    ],
    ['custom prices', { prices: [{ ...usage, type: 'custom' }] }, 'prices[0].type'],
    [
      'custom purposes',
      { entitlements: [{ name: 'Credit', asset: 'USD', amount: 1, purpose: 'custom' }] },
      'entitlements[0].purpose',
    ],
  ])('are rejected at their field in a product: %s', async (_, more, field) => {
    const body = { name: 'Product', code: 'product', prices: [usage], ...more };
    const { errors } = await api('createProduct', { body }, 422);

    expect(errors[field]).toEqual([
      expect.stringMatching(/^(custom|collection|funding_destination) is not emulated\.$/),
    ]);
  });

  it('are accepted and returned if the value is what the emulator does anyway', async () => {
    const aggregated = { ...calculation, unit_aggregation: 'count', volume_aggregation: 'sum' };
    const once = { type: 'one_time', one_time: { service_period: { months: 12 } } };
    const prices = [
      { ...usage, pricing_model: 'flat', usage_calculation: aggregated },
      { ...fixed, billing_model: once },
    ];
    const key = 'key_test_kept';
    const body = { name: 'Product', code: 'product', prices };
    const { id: productId } = await api('createProduct', { key, body }, 201);
    const kept = await api('getProductVersion', { key, path: { productId, version: 1 } });

    expect(kept.prices).toMatchObject([
      { pricing_model: 'flat', usage_calculation: aggregated },
      { billing_model: once },
    ]);
  });
});
