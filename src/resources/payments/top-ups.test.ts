import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AnyBody,
  createTestClient,
  TEST_NOW,
  type TestClient,
  worldOf,
} from '../../testing/client.ts';

let client: TestClient;
let customerId: string;
async function open(settings = {}): Promise<void> {
  client = createTestClient(settings);
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
}
beforeEach(() => open());

const ADDRESSES = {
  return_url: 'https://app.example.com/billing?a=b#c',
  failure_url: 'http://localhost/failed',
};
const request = (body: object = {}) => ({
  customer_id: customerId,
  amount: 50,
  currency: 'USD',
  ...ADDRESSES,
  ...body,
});

const refuse = async (body: object) =>
  (await client.api('createTopUp', { body: request(body) }, 422)).errors;

const start = (body: object = {}) => client.api('createTopUp', { body: request(body) }, 201);

/** The record itself; responses do not show its credit before the payment. */
function record(id: string) {
  return worldOf(client.emulator).tables.top_ups.get(id);
}

const createAsset = (body: object) =>
  client.api('createAsset', { body: { code: 'CREDITS', name: 'Credits', ...body } }, 201);

describe('createTopUp', () => {
  it('builds the link with payment_link_lifetime and public_url', async () => {
    await open({ payment_link_lifetime: '90m', public_url: 'https://billing.example.com' });
    const { redirect_url, expires_at } = await start();

    expect(redirect_url).toMatch(/^https:\/\/billing\.example\.com\/hosted\/checkout\//);
    expect(expires_at).toBe('2026-01-15T13:30:00.000Z');
  });

  it('returns another link for each top-up, and the same links in an equal world', async () => {
    const links = [await start(), await start()].map(({ redirect_url }) => tokenOf(redirect_url));
    await open();

    expect(links[1]).not.toBe(links[0]);
    expect(tokenOf((await start()).redirect_url)).toBe(links[0]);
  });

  it('opens the account that it will credit, with a balance of 0', async () => {
    await start({ destination: { account_name: 'prepaid' } });

    expect(await client.api('getWallet', { path: { customerId } })).toMatchObject({
      accounts: [{ id: 'prepaid:USD', available: 0 }],
    });
  });
});

describe('the credit of a top-up', () => {
  // 1 / 8 is 0.125, a tie that rounds to the even 0.12; 3 / 8 is 0.375, which rounds to 0.38.
  it.each([
    [1, '0.12'],
    [3, '0.38'],
  ])('of %i at a rate of 8 is rounded half to even: %s', async (amount, credit) => {
    await createAsset({ precision: 2 });
    const { id } = await start({ amount, destination: { asset: 'CREDITS', exchange_rate: 8 } });

    expect(record(id)?.credit).toBe(credit);
  });

  // 10 / 3, rounded to the 10 decimals of a currency.
  it('in another currency is rounded to 10 decimals', async () => {
    const { id } = await start({ amount: 10, destination: { asset: 'EUR', exchange_rate: 3 } });

    expect(record(id)?.credit).toBe('3.3333333333');
  });

  it('uses a given rate instead of the one in force', async () => {
    await createAsset({ rates: [{ source: 'USD', rate: 0.01 }] });
    const { id } = await start({ destination: { asset: 'CREDITS', exchange_rate: 0.02 } });

    expect(record(id)?.credit).toBe('2500');
  });
});

describe('the rate of a top-up', () => {
  const warnings = async () => (await client.api('listWarnings')).items;

  it('ignores a rate of the currency itself, with a note', async () => {
    const { id } = await start({ amount: 19.99, destination: { exchange_rate: 2 } });

    expect(record(id)).toMatchObject({ credit: '19.99', exchange_rate: '1' });
    expect(await warnings()).toMatchObject([
      { kind: 'ignored_field', level: 'info', field: 'destination.exchange_rate' },
    ]);
  });

  it.each([
    [5, 0],
    [5.01, 1],
    [0.0005, 0],
    [0.000499, 1],
  ])('with a rate of %s for an asset at 0.05 gets %s warnings', async (exchange_rate, count) => {
    await createAsset({ precision: 2, rates: [{ source: 'USD', rate: 0.05 }] });
    await start({ destination: { asset: 'CREDITS', exchange_rate } });

    expect((await warnings()).map(({ kind, level }: AnyBody) => `${level} ${kind}`)).toEqual(
      Array(count).fill('warning unusual_rate'),
    );
  });
});

describe('createTopUp validation', () => {
  it.each([
    [{ currency: 'ABC' }, 'currency'],
    [{ currency: 'usd' }, 'currency'],
    [{ destination: { asset: 'EUR' } }, 'destination.exchange_rate'],
    [{ credit_expires_at: TEST_NOW }, 'credit_expires_at'],
    [{ return_url: 'javascript:alert(1)' }, 'return_url'],
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

  it('rejects an asset whose exchange rate has ended', async () => {
    await createAsset({});
    const path = { assetCode: 'CREDITS' };
    const body = { source: 'USD', rate: 1, valid_from: '2025-01-01T00:00:00Z', valid_to: TEST_NOW };
    await client.api('setAssetRate', { path, body }, 204);

    expect(await refuse({ destination: { asset: 'CREDITS' } })).toEqual({
      'destination.exchange_rate': ['No exchange rate is in force at that time.'],
    });
  });
});

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
