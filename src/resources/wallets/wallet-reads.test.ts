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

describe('reading a wallet', () => {
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
});
