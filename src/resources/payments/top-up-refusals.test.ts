import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

let client: TestClient;
let customerId: string;
beforeEach(async () => {
  client = createTestClient();
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
});

const request = (body: object = {}) => ({
  customer_id: customerId,
  amount: 50,
  currency: 'USD',
  return_url: 'https://app.example.com/billing?a=b#c',
  failure_url: 'http://localhost/failed',
  ...body,
});
const refuse = async (body: object) =>
  (await client.api('createTopUp', { body: request(body) }, 422)).errors;

const createAsset = (body: object) =>
  client.api('createAsset', { body: { code: 'CREDITS', name: 'Credits', ...body } }, 201);

describe('createTopUp validation', () => {
  it('reports an unknown customer', async () => {
    expect(await refuse({ customer_id: 'cust_unknown' })).toEqual({
      customer_id: ['No such customer.'],
    });
  });

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ amount: 0.001 }, 'amount'],
    [{ amount: 10.5, currency: 'JPY' }, 'amount'],
    [{ currency: 'ABC' }, 'currency'],
    [{ currency: 'usd' }, 'currency'],
    [{ destination: { asset: 'NOTHING', exchange_rate: 1 } }, 'destination.asset'],
    [{ destination: { asset: 'EUR' } }, 'destination.exchange_rate'],
    [{ destination: { asset: 'EUR', exchange_rate: 0 } }, 'destination.exchange_rate'],
    [{ destination: { account_name: 'Not Good' } }, 'destination.account_name'],
    [{ credit_expires_at: TEST_NOW }, 'credit_expires_at'],
    [{ return_url: 'javascript:alert(1)' }, 'return_url'],
    [{ failure_url: undefined }, 'failure_url'],
  ])('reports the invalid field of %o', async (body, field) => {
    expect(Object.keys(await refuse(body))).toEqual([field]);
  });

  it('reports all errors at once', async () => {
    const errors = await refuse({
      customer_id: 'cust_unknown',
      amount: 0.001,
      destination: { asset: 'NOTHING' },
      credit_expires_at: '2026-01-01T00:00:00Z',
    });

    expect(Object.keys(errors).sort()).toEqual([
      'amount',
      'credit_expires_at',
      'customer_id',
      'destination.asset',
    ]);
  });

  it('rejects an amount that buys less than the smallest amount of its asset', async () => {
    await createAsset({ precision: 0 });
    const destination = { asset: 'CREDITS', exchange_rate: 100 };

    expect(await refuse({ amount: 1, destination })).toEqual({
      amount: ['The amount buys less than the smallest amount of its asset.'],
    });
  });

  it('rejects an asset whose exchange rate has ended', async () => {
    await createAsset({});
    const path = { assetCode: 'CREDITS' };
    const body = { source: 'USD', rate: 1, valid_from: '2025-01-01T00:00:00Z', valid_to: TEST_NOW };
    await client.api('setAssetRate', { path, body }, 204);

    expect(await refuse({ destination: { asset: 'CREDITS' } })).toEqual({
      'destination.exchange_rate': ['No exchange rate is in force at that time.'],
    });
  });

  it('opens no wallet account for a rejected top-up', async () => {
    await refuse({ amount: 0.001, destination: { account_name: 'prepaid' } });
    const wallet = await client.api('getWallet', { path: { customerId } }, 200);

    expect(wallet.accounts).toEqual([]);
  });
});
