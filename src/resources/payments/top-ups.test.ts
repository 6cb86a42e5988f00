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

const start = (body: object = {}) => client.api('createTopUp', { body: request(body) }, 201);

async function show(body: object = {}) {
  const { id } = await start(body);
  return client.api('getTopUp', { path: { topUpId: id } }, 200);
}

/** The record itself; responses do not show its credit before the payment. */
function record(id: string) {
  return worldOf(client.emulator).tables.top_ups.get(id);
}

const createAsset = (body: object) =>
  client.api('createAsset', { body: { code: 'CREDITS', name: 'Credits', ...body } }, 201);

describe('createTopUp', () => {
  it('returns a payment link that expires after a day', async () => {
    const response = await client.send('createTopUp', { body: request() });

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^top_[0-9a-z]{26}$/),
      status: 'initiated',
      redirect_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/hosted\/checkout\/[A-Za-z0-9_-]{43}$/,
      ),
      created_at: TEST_NOW,
      expires_at: '2026-01-16T12:00:00.000Z',
    });
  });

  it('builds the link with payment_link_lifetime and public_url', async () => {
    client = createTestClient({
      payment_link_lifetime: '90m',
      public_url: 'https://billing.example.com',
    });
    customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
    const { redirect_url, expires_at } = await start();

    expect(redirect_url).toMatch(/^https:\/\/billing\.example\.com\/hosted\/checkout\//);
    expect(expires_at).toBe('2026-01-15T13:30:00.000Z');
  });

  it('returns another link for each top-up, and the same links in an equal world', async () => {
    const links = [await start(), await start()].map(({ redirect_url }) => tokenOf(redirect_url));
    client = createTestClient();
    await client.api('createCustomer', { body: { name: 'Acme' } }, 201);

    expect(links[1]).not.toBe(links[0]);
    expect(tokenOf((await start()).redirect_url)).toBe(links[0]);
  });

  it('opens the account that it will credit, with a balance of 0', async () => {
    await start({ destination: { account_name: 'prepaid' } });

    expect(await client.api('getWallet', { path: { customerId } }, 200)).toMatchObject({
      accounts: [{ id: 'prepaid:USD', available: 0 }],
    });
  });

  it('accepts every optional field, and null for each', async () => {
    const full = await start({
      description: '5,000 credits',
      metadata: { order: '7' },
      credit_expires_at: '2026-01-15T13:00:01+01:00',
      destination: {},
    });
    await start({ description: null, metadata: null, credit_expires_at: null, destination: null });
    await start({ destination: { account_name: null, asset: null, exchange_rate: null } });

    expect(record(full.id)).toMatchObject({
      description: '5,000 credits',
      metadata: { order: '7' },
      credit_expires_at: '2026-01-15T12:00:01.000Z',
    });
  });
});

describe('the credit of a top-up', () => {
  it('is the amount itself in the same currency', async () => {
    const { id } = await start({ amount: 19.99 });

    expect(record(id)).toMatchObject({ credit: '19.99', asset: 'USD', exchange_rate: '1' });
  });

  // 10 / 0.03 is 333.333…, rounded to the 2 decimals of the asset.
  it('is the amount divided by the given rate, rounded to the precision of the asset', async () => {
    await createAsset({ precision: 2 });
    const { id } = await start({
      amount: 10,
      destination: { asset: 'CREDITS', exchange_rate: 0.03 },
    });

    expect(record(id)).toMatchObject({ credit: '333.33', exchange_rate: '0.03' });
  });

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

describe('getTopUp', () => {
  it('returns a top-up with its default destination', async () => {
    expect(await show({ amount: 12.34 })).toEqual({
      id: expect.stringMatching(/^top_/),
      customer_id: customerId,
      amount: 12.34,
      currency: 'USD',
      status: 'initiated',
      destination: { account_name: 'default', asset: 'USD', exchange_rate: 1 },
    });
  });

  it('returns the destination as it was given', async () => {
    await createAsset({});
    const destination = { account_name: 'prepaid', asset: 'CREDITS', exchange_rate: 0.01 };

    expect((await show({ destination })).destination).toEqual(destination);
  });

  const warnings = async () => (await client.control('listWarnings', {}, 200)).items;

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

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
