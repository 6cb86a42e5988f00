import { describe, expect, it } from 'vitest';
import { CREDIT_ASSET, freshKey, nextUuid } from '../../testing/catalog.ts';
import { createTestClient } from '../../testing/client.ts';

const client = createTestClient();

/** A customer in a world of its own, with CREDIT in whole units, and requests about the wallet. */
async function aWallet(from = client) {
  const key = freshKey();
  await from.api('createAsset', { key, body: CREDIT_ASSET }, 201);
  const { id } = await from.api('createCustomer', { key, body: { name: 'Acme' } }, 201);
  const path = { customerId: id as string };
  const preset = () => ({ transaction_id: nextUuid(), asset: 'USD' });
  const account = { ...path, accountId: 'default:USD' };
  return {
    key,
    path,
    adjust: (more: object) => {
      const body = { ...preset(), reason: 'external_topup', ...more };
      return from.send('adjustWallet', { key, path, body });
    },
    charge: (more: object) =>
      from.send('chargeWallet', { key, path, body: { ...preset(), ...more } }),
    available: async (): Promise<number> =>
      (await from.api('getWalletAccount', { key, path: account })).available,
  };
}

describe('adjustWallet', () => {
  it('returns more digits than a double holds', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 99999999999999.9 });
    await wallet.adjust({ amount: 0.0000000001 });

    const response = await client.http
      .get(`/customers/${wallet.path.customerId}/wallet`)
      .set('Authorization', `Bearer ${wallet.key}`);

    expect(response.text).toContain('"available":99999999999999.9000000001');
  });

  it.each([
    ['an unknown asset', { asset: 'NONE' }, ['asset']],
    ['more decimals than the asset has', { asset: 'CREDIT', amount: 0.5 }, ['amount']],
    ['an end in the past', { expires_at: '2026-01-15T12:00:00Z' }, ['expires_at']],
    ['an amount of 0', { amount: 0 }, ['amount']],
  ])('rejects %s', async (_, body, fields) => {
    const wallet = await aWallet();
    const response = await wallet.adjust({ amount: 1, ...body });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(fields);
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
    const stats = await client.api('getCustomerStats', { key: wallet.key, path });
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
      const { items } = await client.api('listWarnings', { key: wallet.key });
      expect(items).toMatchObject([{ kind: 'ignored_field', level: 'info', field: 'expires_at' }]);
    },
  );

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

it('lists credit that begins during an advance among its changes', async () => {
  const wallet = await aWallet();
  const effective_at = '2026-01-20T12:00:00.000Z';
  await wallet.adjust({ amount: 50, effective_at });
  const advance = { key: wallet.key, body: { to: effective_at } };
  const { items } = await client.api('advanceClock', advance);

  expect(items).toMatchObject([{ at: effective_at, kind: 'grant_start' }]);
});
