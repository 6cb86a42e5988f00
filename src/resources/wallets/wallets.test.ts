import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { openWallet } from '../../testing/customer.ts';

const client = createTestClient();

const aWallet = (from: TestClient = client) => openWallet(from);

describe('adjustWallet', () => {
  it('adds and subtracts exactly', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 0.1 });
    await wallet.adjust({ amount: 0.2 });
    expect(await wallet.available()).toBe(0.3);

    await wallet.adjust({ amount: -10.25, reason: 'external_refund' });
    expect(await wallet.available()).toBe(-9.95);
  });

  it('returns more digits than a double holds', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 99999999999999.9 });
    await wallet.adjust({ amount: 0.0000000001 });

    const response = await client.http
      .get(`/customers/${wallet.path.customerId}/wallet`)
      .set('Authorization', `Bearer ${wallet.key}`);

    expect(response.text).toContain('"available":99999999999999.9000000001');
  });

  it('applies a repeated transaction_id once and returns the same response', async () => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 5, reason: 'gift' };
    const first = await wallet.send('adjustWallet', body);
    const again = await wallet.send('adjustWallet', { ...body, account_name: 'default' });

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await wallet.available()).toBe(5);
  });

  it('treats the same request in another notation as a repetition', async () => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 5, reason: 'gift' };
    const expires_at = '2027-01-01T13:00:00Z';
    const first = await wallet.send('adjustWallet', { ...body, expires_at });
    const again = await wallet.send('adjustWallet', {
      ...body,
      expires_at: '2027-01-01T14:00:00.000+01:00',
      metadata: {},
    });

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await wallet.available()).toBe(5);
  });

  it.each([
    ['another amount', { amount: 6 }],
    ['another end', { expires_at: '2027-01-01T13:00:00Z' }],
    ['another account', { account_name: 'bonus' }],
    ['another reason', { reason: 'external_topup' }],
    ['metadata', { metadata: { note: 'x' } }],
  ])('rejects a repeated transaction_id with %s', async (_, change) => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 5, reason: 'gift' };
    await wallet.send('adjustWallet', body);
    const response = await wallet.send('adjustWallet', { ...body, ...change });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(['transaction_id']);
    expect(await wallet.available()).toBe(5);
  });

  it('changes the balance once for 1,000 identical concurrent requests', async () => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 7, reason: 'gift' };
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => wallet.send('adjustWallet', body)),
    );

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await wallet.available()).toBe(7);
  });

  it.each([
    ['an unknown asset', { asset: 'NONE' }, ['asset']],
    ['more decimals than the asset has', { asset: 'MILLI', amount: 0.0001 }, ['amount']],
    ['an end in the past', { expires_at: '2026-01-15T12:00:00Z' }, ['expires_at']],
    ['an amount of 0', { amount: 0 }, ['amount']],
  ])('rejects %s', async (_, body, fields) => {
    const wallet = await aWallet();
    const response = await wallet.adjust({ amount: 1, ...body });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(fields);
  });

  it('reports an unknown customer', async () => {
    const wallet = await aWallet();
    const response = await client.send('adjustWallet', {
      key: wallet.key,
      path: { customerId: 'cust_none' },
      body: { transaction_id: randomUUID(), asset: 'USD', amount: 1, reason: 'gift' },
    });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(['customerId']);
  });

  it('creates a grant whose purpose depends on the reason', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1, reason: 'external_topup' });
    await wallet.adjust({ amount: 2, reason: 'gift', expires_at: '2026-02-01T00:00:00Z' });
    await wallet.adjust({ amount: 3, reason: 'external_refund' });

    const grants = await wallet.grants('default:USD');

    expect(grants.map(({ amount, purpose, expires_at }) => [amount, purpose, expires_at])).toEqual([
      [3, 'paid', '2027-01-15T12:00:00.000Z'],
      [2, 'promotion', '2026-02-01T00:00:00.000Z'],
      [1, 'paid', '2027-01-15T12:00:00.000Z'],
    ]);
  });

  it('ends paid credit a year after it becomes effective, and never a gift', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1, effective_at: '2026-02-01T00:00:00Z' });
    await wallet.adjust({ amount: 2, reason: 'gift' });

    const ends = (await wallet.grants('default:USD')).map(({ amount, expires_at }) => [
      amount,
      expires_at,
    ]);
    expect(ends).toEqual(
      expect.arrayContaining([
        [1, '2027-02-01T00:00:00.000Z'],
        [2, null],
      ]),
    );
  });

  it('removes at once what backdated paid credit leaves after debt, as it has ended', async () => {
    const wallet = await aWallet();
    await wallet.charge({ amount: 10 });
    await wallet.adjust({
      amount: 25,
      reason: 'external_topup',
      effective_at: '2025-01-15T12:00:00Z',
    });
    // A year to the millisecond: 10 repay the debt, 15 end.
    expect(await wallet.available()).toBe(0);
    const path = { customerId: wallet.path.customerId };
    const stats = await client.api('getCustomerStats', { key: wallet.key, path }, 200);
    // The 10 charged and the 15 that ended.
    expect(stats).toMatchObject({ gross_revenue: 25 });

    await wallet.adjust({
      amount: 4,
      reason: 'external_topup',
      effective_at: '2025-01-15T12:00:00.001Z',
    });
    expect(await wallet.available()).toBe(4);
  });

  it.each([['2027-01-01T00:00:00Z'], ['2020-01-01T00:00:00Z']])(
    'ignores the end %s of a negative amount, with a note',
    async (expires_at) => {
      const wallet = await aWallet();
      await wallet.adjust({ amount: 5, reason: 'gift' });
      const taken = await wallet.adjust({ amount: -2, reason: 'external_refund', expires_at });

      expect([taken.status, await wallet.available()]).toEqual([201, 3]);
      const { items } = await client.control('listWarnings', { key: wallet.key }, 200);
      expect(items).toMatchObject([{ kind: 'ignored_field', level: 'info', field: 'expires_at' }]);
    },
  );

  it('repays debt first: 25 against a debt of 10 leaves 15', async () => {
    const wallet = await aWallet();
    await wallet.charge({ asset: 'CREDIT', amount: 10 });
    expect(await wallet.available('default:CREDIT')).toBe(-10);

    await wallet.adjust({ asset: 'CREDIT', amount: 25 });

    expect(await wallet.available('default:CREDIT')).toBe(15);
    const [grant] = await wallet.grants('default:CREDIT');
    expect([grant.amount, grant.remaining]).toEqual([25, 15]);
  });

  it('refunds from paid credit first', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 10, reason: 'gift' });
    await wallet.adjust({ amount: 20 });
    await wallet.adjust({ amount: -5, reason: 'external_refund' });

    const grants = await wallet.grants('default:USD');

    expect(grants.map(({ purpose, remaining }) => [purpose, remaining])).toEqual([
      ['paid', 15],
      ['promotion', 10],
    ]);
  });

  it('is rejected beyond the balance if the setting overdraft is deny', async () => {
    const strict = createTestClient({ overdraft: 'deny' });
    const wallet = await aWallet(strict);
    await wallet.adjust({ amount: 5 });
    const beyond = await wallet.adjust({ amount: -5.01, reason: 'external_refund' });

    expect([beyond.status, Object.keys(beyond.body.errors)]).toEqual([422, ['amount']]);
    expect((await wallet.adjust({ amount: -5, reason: 'external_refund' })).status).toBe(201);
    expect((await wallet.charge({ amount: 1 })).status).toBe(422);
    expect(await wallet.available()).toBe(0);
  });
});
