import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withRecord } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';

const client = createTestClient();
const { api } = client;

let lastKey = 0;

/** A customer in a world of its own, with CREDIT (whole units) and MILLI (three decimals). */
async function aWallet(from: TestClient = client) {
  lastKey += 1;
  const key = `key_test_wallet-${lastKey}`;
  await from.api('createAsset', { key, body: { code: 'CREDIT', name: 'Credits' } }, 201);
  await from.api('createAsset', { key, body: { code: 'MILLI', name: 'Milli', precision: 3 } }, 201);
  const { id } = await from.api('createCustomer', { key, body: { name: 'Acme' } }, 201);
  const path = { customerId: id };
  const adjustment = (body: object) => ({
    transaction_id: randomUUID(),
    asset: 'USD',
    reason: 'external_topup',
    ...body,
  });
  const call = (operation: 'adjustWallet' | 'chargeWallet', body: object) =>
    from.send(operation, { key, path, body });

  return {
    key,
    path,
    adjust: (body: object) => call('adjustWallet', adjustment(body)),
    charge: (body: object) =>
      call('chargeWallet', { transaction_id: randomUUID(), asset: 'USD', ...body }),
    send: call,
    async available(accountId = 'default:USD'): Promise<number> {
      return (await from.api('getWalletAccount', { key, path: { ...path, accountId } }, 200))
        .available;
    },
    async grants(accountId: string, query = {}): Promise<AnyBody[]> {
      const page = await from.api('listGrants', { key, path: { ...path, accountId }, query }, 200);
      return page.items.map((item: AnyBody) => withRecord(from.emulator, item));
    },
  };
}

describe('adjustWallet', () => {
  it('adds and subtracts exactly', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 0.1 });
    await wallet.adjust({ amount: 0.2 });
    expect(await wallet.available()).toBe(0.3);

    await wallet.adjust({ amount: -10.25, reason: 'external_refund' });
    expect(await wallet.available()).toBe(-9.95);
  });

  it('prints more digits than a double holds', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 99999999999999.9 });
    await wallet.adjust({ amount: 0.0000000001 });

    const response = await client.http
      .get(`/customers/${wallet.path.customerId}/wallet`)
      .set('Authorization', `Bearer ${wallet.key}`);

    expect(response.text).toContain('"available":99999999999999.9000000001');
  });

  it('applies a repeated transaction_id once and answers as before', async () => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 5, reason: 'gift' };
    const first = await wallet.send('adjustWallet', body);
    const again = await wallet.send('adjustWallet', { ...body, account_name: 'default' });

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await wallet.available()).toBe(5);
  });

  it.each([
    ['another amount', { amount: 6 }],
    ['another account', { account_name: 'bonus' }],
    ['another reason', { reason: 'external_topup' }],
    ['metadata', { metadata: { note: 'x' } }],
  ])('refuses a repeated transaction_id with %s', async (_, change) => {
    const wallet = await aWallet();
    const body = { transaction_id: randomUUID(), asset: 'USD', amount: 5, reason: 'gift' };
    await wallet.send('adjustWallet', body);
    const response = await wallet.send('adjustWallet', { ...body, ...change });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(['transaction_id']);
    expect(await wallet.available()).toBe(5);
  });

  it('changes the balance once under a thousand identical requests', async () => {
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
    ['an end of a debit', { amount: -1, expires_at: '2027-01-01T00:00:00Z' }, ['expires_at']],
    ['nothing to move', { amount: 0 }, ['amount']],
  ])('refuses %s', async (_, body, fields) => {
    const wallet = await aWallet();
    const response = await wallet.adjust({ amount: 1, ...body });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(fields);
  });

  it('names an unknown customer', async () => {
    const wallet = await aWallet();
    const response = await client.send('adjustWallet', {
      key: wallet.key,
      path: { customerId: 'cust_none' },
      body: { transaction_id: randomUUID(), asset: 'USD', amount: 1, reason: 'gift' },
    });

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(['customerId']);
  });

  it('gives a grant whose purpose follows from the reason', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1, reason: 'external_topup' });
    await wallet.adjust({ amount: 2, reason: 'gift', expires_at: '2026-02-01T00:00:00Z' });
    await wallet.adjust({ amount: 3, reason: 'external_refund' });

    const grants = await wallet.grants('default:USD');

    expect(grants.map(({ amount, purpose, expires_at }) => [amount, purpose, expires_at])).toEqual([
      [3, 'paid', null],
      [2, 'promotion', '2026-02-01T00:00:00.000Z'],
      [1, 'paid', null],
    ]);
  });

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

  it('is refused beyond the balance where overdraft is denied', async () => {
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

describe('an adjustment with effective_at', () => {
  const LATER = '2026-01-20T12:00:00.000Z';

  it('puts its credit off, with a transaction that is not carried out', async () => {
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
    ['as late as the end', { effective_at: LATER, expires_at: LATER }, 'expires_at'],
    ['that is no moment', { effective_at: 'soon' }, 'effective_at'],
  ])('is refused %s', async (_, body, field) => {
    const wallet = await aWallet();
    const refused = await wallet.adjust({ amount: 1, ...body });

    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  });
});

describe('chargeWallet', () => {
  it.each([
    ['its amount', { amount: 2.5 }, 2.5],
    ['units', { unit_price: 0.3, input_units: 3 }, 0.9],
    ['one unit when none is counted', { unit_price: 0.3 }, 0.3],
    ['a volume', { input_volume: 1234, volume_rate: 1.25, package_size: 1000000 }, 0.0015425],
    ['units and a volume', { unit_price: 1, input_volume: 30, volume_rate: 0.02 }, 1.6],
    ['an amount that equals its parts', { amount: 0.9, unit_price: 0.3, input_units: 3 }, 0.9],
    [
      'a third, rounded to ten places',
      { input_volume: 1, volume_rate: 1, package_size: 3 },
      0.3333333333,
    ],
    ['nothing', { amount: 0 }, 0],
    ['half a credit, rounded to even', { asset: 'CREDIT', unit_price: 0.5 }, 0],
    ['one and a half credits, rounded to even', { asset: 'CREDIT', unit_price: 1.5 }, 2],
  ])('takes %s', async (_, body, amount) => {
    const wallet = await aWallet();
    const response = await wallet.charge(body);

    expect(response.status, response.text).toBe(201);
    expect(response.body).toEqual({});
    const asset = 'asset' in body ? body.asset : 'USD';
    expect(await wallet.available(`default:${asset}`)).toBe(0 - amount);
  });

  it.each([
    ['neither amount nor parts', {}],
    ['a volume without a rate', { input_volume: 3 }],
    ['an amount that differs from its parts', { amount: 1, unit_price: 0.3, input_units: 3 }],
    ['a negative amount', { amount: -1 }],
    ['more decimals than the asset has', { asset: 'CREDIT', amount: 0.5 }],
  ])('refuses %s', async (_, body) => {
    const wallet = await aWallet();
    const response = await wallet.charge(body);

    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors)).toEqual(['amount']);
  });

  it('shares its ids with adjustments', async () => {
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
  it('takes promotions, then bundled, then paid credit, the soonest to end first', async () => {
    const wallet = await aWallet();
    const { key, path } = wallet;
    await wallet.adjust({ asset: 'CREDIT', amount: 500, expires_at: '2027-01-15T12:00:00Z' });
    const product = {
      name: 'Bundle',
      code: 'bundle',
      publish: true,
      entitlements: [
        {
          name: 'Monthly',
          asset: 'CREDIT',
          amount: 100,
          purpose: 'bundled',
          lifecycle: { duration: 'month' },
        },
      ],
    };
    await api('createProduct', { key, body: product }, 201);
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

describe('listGrants', () => {
  it('filters by purpose and by inclusive bounds', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1 });
    await wallet.adjust({ amount: 2, reason: 'gift', expires_at: '2026-02-01T00:00:00Z' });
    const amounts = async (query: object) =>
      (await wallet.grants('default:USD', query)).map(({ amount }) => amount);

    expect(await amounts({ purpose: 'promotion' })).toEqual([2]);
    expect(await amounts({ expired_from: '2026-02-01T00:00:00Z' })).toEqual([2]);
    expect(await amounts({ expired_to: '2026-02-01T00:00:00Z' })).toEqual([2]);
    expect(await amounts({ expired_from: '2026-02-01T00:00:00.001Z' })).toEqual([]);
    expect(await amounts({ effective_to: '2026-01-15T12:00:00Z' })).toEqual([2, 1]);
    expect(await amounts({ effective_from: '2026-01-15T12:00:00.001Z' })).toEqual([]);
    expect(await amounts({ limit: 1, offset: 1 })).toEqual([1]);
  });
});

describe('what is read', () => {
  it('shows a transaction, and its balance in the ledger alone', async () => {
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

  it('finds an account by its asset in any case, and none that was never opened', async () => {
    const wallet = await aWallet();
    await wallet.adjust({ amount: 1 });

    expect(await wallet.available('default:usd')).toBe(1);
    for (const accountId of ['default:EUR', 'default', 'Default:USD', ':USD'])
      await api('getWalletAccount', { key: wallet.key, path: { ...wallet.path, accountId } }, 404);
  });

  it('is invisible to other accounts', async () => {
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
