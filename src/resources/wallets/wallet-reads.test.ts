import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { openWallet } from '../../testing/customer.ts';

const client = createTestClient();
const { api } = client;

const aWallet = () => openWallet(client);

describe('an adjustment with effective_at', () => {
  const LATER = '2026-01-20T12:00:00.000Z';

  it('grants its credit at that time; until then its transaction has no executed_at', async () => {
    const wallet = await aWallet();
    const transaction_id = randomUUID();
    const body = { transaction_id, amount: 50, effective_at: LATER, description: 'Later' };
    const first = await wallet.adjust(body);
    const again = await wallet.adjust(body);
    const path = { ...wallet.path, transactionId: transaction_id };
    const shown = await api('getWalletTransaction', { key: wallet.key, path }, 200);

    expect([first.status, again.body]).toEqual([201, first.body]);
    expect((await wallet.adjust({ ...body, amount: 5 })).status).toBe(422);
    expect(shown).toEqual({
      id: transaction_id,
      type: 'adjustment',
      account_id: 'default:USD',
      asset: 'USD',
      amount: 50,
      description: 'Later',
      created_at: '2026-01-15T12:00:00.000Z',
    });
    expect(await wallet.available()).toBe(0);

    const advance = { key: wallet.key, body: { to: LATER } };
    const { items } = await client.control('advanceClock', advance, 200);
    expect(items).toMatchObject([{ at: LATER, kind: 'grant_start' }]);
    expect(await api('getWalletTransaction', { key: wallet.key, path }, 200)).toEqual({
      ...shown,
      executed_at: LATER,
    });
    expect((await wallet.adjust(body)).body).toEqual(first.body);
    expect(await wallet.available()).toBe(50);
  });

  it.each([
    ['with a negative amount', { amount: -1, effective_at: LATER }, 'effective_at'],
    ['with its effect at its end', { effective_at: LATER, expires_at: LATER }, 'expires_at'],
    ['with an invalid time', { effective_at: 'soon' }, 'effective_at'],
  ])('is rejected %s', async (_, body, field) => {
    const wallet = await aWallet();
    const refused = await wallet.adjust({ amount: 1, ...body });

    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  });
});

describe('listGrants', () => {
  it('filters by purpose and by inclusive bounds of time', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1 });
    await wallet.adjust({ amount: 2, reason: 'gift', expires_at: '2026-02-01T00:00:00Z' });
    const amounts = async (query: object) =>
      (await wallet.grants('default:USD', query)).map(({ amount }) => amount);

    expect(await amounts({ purpose: 'promotion' })).toEqual([2]);
    expect(await amounts({ expired_from: '2026-02-01T00:00:00Z' })).toEqual([2, 1]);
    expect(await amounts({ expired_to: '2026-02-01T00:00:00Z' })).toEqual([2]);
    expect(await amounts({ expired_from: '2026-02-01T00:00:00.001Z' })).toEqual([1]);
    expect(await amounts({ effective_to: '2026-01-15T12:00:00Z' })).toEqual([2, 1]);
    expect(await amounts({ effective_from: '2026-01-15T12:00:00.001Z' })).toEqual([]);
    expect(await amounts({ limit: 1, offset: 1 })).toEqual([1]);
  });
});

describe('reading a wallet', () => {
  it('returns an empty description that was sent', async () => {
    const wallet = await aWallet();
    const transaction_id = randomUUID();
    await wallet.adjust({ transaction_id, amount: 4, description: '' });
    const path = { ...wallet.path, transactionId: transaction_id };

    const shown = await api('getWalletTransaction', { key: wallet.key, path }, 200);

    expect(shown.description).toBe('');
  });

  it('returns a transaction, and its balance_after only in the ledger', async () => {
    const wallet = await aWallet();
    const transaction_id = randomUUID();
    const body = {
      transaction_id,
      amount: 4,
      reason: 'gift',
      metadata: { a: 'b' },
      description: 'Hi',
    };
    await wallet.adjust(body);

    const shown = await api(
      'getWalletTransaction',
      { key: wallet.key, path: { ...wallet.path, transactionId: transaction_id } },
      200,
    );

    expect(shown).toEqual({
      id: transaction_id,
      type: 'adjustment',
      account_id: 'default:USD',
      asset: 'USD',
      amount: 4,
      description: 'Hi',
      metadata: { a: 'b' },
      created_at: '2026-01-15T12:00:00.000Z',
      executed_at: '2026-01-15T12:00:00.000Z',
    });
    const ledger = await client.control('listLedgerTransactions', { key: wallet.key }, 200);
    expect(ledger.items).toMatchObject([
      { id: transaction_id, source: 'adjustment', reason: 'gift', balance_after: 4 },
    ]);
  });

  it('finds an account by its asset in any case, and returns 404 if it was never opened', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1 });

    expect(await wallet.available('default:usd')).toBe(1);
    for (const accountId of ['default:EUR', 'default', 'Default:USD', ':USD'])
      await api('getWalletAccount', { key: wallet.key, path: { ...wallet.path, accountId } }, 404);
  });

  it('returns 404 to a connected account', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1 });
    const { id } = await api(
      'createConnectedAccount',
      { key: wallet.key, body: { name: 'Sub' } },
      201,
    );
    const headers = { 'X-Service-Account': id };

    await api('getWallet', { key: wallet.key, path: wallet.path, headers }, 404);
    await api('getWallet', { key: wallet.key, path: wallet.path }, 200);
  });
});
