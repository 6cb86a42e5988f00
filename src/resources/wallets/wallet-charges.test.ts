import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCatalogProduct, entitlement, ONE_MONTH } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';
import { openWallet } from '../../testing/customer.ts';

const client = createTestClient();
const { api } = client;

const aWallet = () => openWallet(client);

describe('chargeWallet', () => {
  it.each([
    ['its amount', { amount: 2.5 }, 2.5],
    ['units', { amount: 0.9, unit_price: 0.3, input_units: 3 }, 0.9],
    ['one unit when none is counted', { amount: 0.3, unit_price: 0.3 }, 0.3],
    [
      'a volume',
      { amount: 0.0015425, input_volume: 1234, volume_rate: 1.25, package_size: 1000000 },
      0.0015425,
    ],
    [
      'units and a volume',
      { amount: 1.6, unit_price: 1, input_volume: 30, volume_rate: 0.02 },
      1.6,
    ],
    [
      'a third, rounded to ten places',
      { amount: 0.3333333333, input_volume: 1, volume_rate: 1, package_size: 3 },
      0.3333333333,
    ],
    ['nothing', { amount: 0 }, 0],
    ['half a credit, rounded to even', { asset: 'CREDIT', amount: 0, unit_price: 0.5 }, 0],
    ['one and a half credits, rounded to even', { asset: 'CREDIT', amount: 2, unit_price: 1.5 }, 2],
  ])('charges %s', async (_, body, amount) => {
    const wallet = await aWallet();
    const response = await wallet.charge(body);

    expect(response.status, response.text).toBe(201);
    expect(response.body).toEqual({});
    const asset = 'asset' in body ? body.asset : 'USD';
    expect(await wallet.available(`default:${asset}`)).toBe(0 - amount);
  });

  it.each([
    ['neither amount nor parts', 'amount', {}],
    ['parts without an amount', 'amount', { unit_price: 0.3 }],
    ['no amount', 'amount', { amount: null }],
    ['an amount that differs from its parts', 'amount', { amount: 1, unit_price: 0.3 }],
    ['a negative amount', 'amount', { amount: -1 }],
    ['more decimals than the asset has', 'amount', { asset: 'CREDIT', amount: 0.5 }],
    ['a volume without a rate', 'volume_rate', { amount: 1, input_volume: 3 }],
    ['a rate without a volume', 'input_volume', { amount: 1, unit_price: 1, volume_rate: 3 }],
    ['a package without a volume', 'input_volume', { amount: 1, package_size: 3 }],
    [
      'units without a price',
      'unit_price',
      { amount: 9, input_units: 2, input_volume: 3, volume_rate: 3 },
    ],
  ])('rejects %s', async (_, field, body) => {
    const wallet = await aWallet();
    const response = await wallet.charge(body);

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual([field]);
  });

  it('charges once, whether defaults are spelt out or left out', async () => {
    const wallet = await aWallet();
    const parts = { unit_price: 2, input_volume: 3, volume_rate: 1 };
    const body = { transaction_id: randomUUID(), amount: 5, ...parts };
    for (const same of [body, { ...body, input_units: 1, package_size: 1 }, body])
      expect((await wallet.charge(same)).status).toBe(201);

    expect((await wallet.charge({ ...body, amount: 7, input_units: 2 })).status).toBe(422);
    expect(await wallet.available()).toBe(-5);
  });

  it('rejects the transaction_id of an adjustment', async () => {
    const wallet = await aWallet();
    const transaction_id = randomUUID();
    await wallet.adjust({ transaction_id, amount: 5 });

    expect((await wallet.charge({ transaction_id, amount: 5 })).status).toBe(422);
    expect(await wallet.available()).toBe(5);
  });

  it('counts as revenue of the customer', async () => {
    const wallet = await aWallet();
    await wallet.charge({ amount: 2.5 });

    const stats = await api('getCustomerStats', { key: wallet.key, path: wallet.path }, 200);

    expect([stats.gross_revenue, stats.margin]).toEqual([2.5, 1]);
  });
});

describe('the draw-down order', () => {
  it('is promotions, then bundled, then paid credit, each by the earliest expiry', async () => {
    const wallet = await aWallet();
    const { key, path } = wallet;
    await wallet.adjust({ asset: 'CREDIT', amount: 500, expires_at: '2027-01-15T12:00:00Z' });
    const product = {
      name: 'Bundle',
      entitlements: [entitlement(100, { purpose: 'bundled', ...ONE_MONTH })],
    };
    await aCatalogProduct(client, 'bundle', product, { key });
    await api('createSubscription', { key, path, body: { products: [{ code: 'bundle' }] } }, 201);
    const gift = { asset: 'CREDIT', reason: 'gift' };
    await wallet.adjust({ ...gift, amount: 40, expires_at: '2026-03-15T12:00:00Z' });
    await wallet.adjust({ ...gift, amount: 30, expires_at: '2026-01-25T12:00:00Z' });

    await wallet.charge({ asset: 'CREDIT', amount: 90 });

    const grants = await wallet.grants('default:CREDIT');
    const left = Object.fromEntries(
      grants.map(({ purpose, amount, remaining }) => [`${purpose} ${amount}`, remaining]),
    );
    expect(left).toEqual({
      'promotion 30': 0,
      'promotion 40': 0,
      'bundled 100': 80,
      'paid 500': 500,
    });
  });
});
