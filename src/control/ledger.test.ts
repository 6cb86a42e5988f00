import { describe, expect, it } from 'vitest';
import type { Row } from '../store/row.ts';
import { anEvent, nextUuid } from '../testing/catalog.ts';
import { type AnyBody, asNewAccount, createTestClient, TEST_NOW } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';

const client = createTestClient();
const { api } = client;

/** A customer with a gift of 2 USD and a top-up of 10 USD, and one event with a fee of 3 USD. */
async function anAccount() {
  const user = await aUser(client, { prices: [{ values: [{ unit_price: 3 }] }] });
  await user.credit('USD', 2, { reason: 'gift' });
  await user.credit('USD', 10);
  const event = anEvent();
  await user.submit(event);
  const [fee] = (await user.event(event.id)).fees;
  return { ...user, event, fee };
}

const transactions = (key: string, query: object = {}): Promise<AnyBody> =>
  api('listLedgerTransactions', { key, query: { ...query } });

describe('listLedgerTransactions', () => {
  it('returns each transaction with its postings, newest first', async () => {
    const { key, customerId, event, fee } = await anAccount();
    const { items } = await transactions(key);
    const [billed, paid, given] = items;

    expect(items).toHaveLength(3);
    expect(billed).toMatchObject({
      type: 'fee',
      source: 'usage',
      customer_id: customerId,
      account_id: 'default:USD',
      amount: -3,
      balance_after: 9,
      event_id: event.id,
      fee_id: fee.id,
      created_at: TEST_NOW,
      postings: [
        { from: 'wallet', to: 'revenue', amount: 2, grant_id: given.postings[0].grant_id },
        { from: 'wallet', to: 'revenue', amount: 1, grant_id: paid.postings[0].grant_id },
      ],
    });
    expect(paid.postings).toMatchObject([{ from: 'external', to: 'wallet', amount: 10 }]);
    expect(given.postings).toMatchObject([{ from: 'promotions', to: 'wallet', amount: 2 }]);
  });

  it('combines filters, and pages the result', async () => {
    const { key, customerId, event, fee } = await anAccount();
    const count = async (query: object) => (await transactions(key, query)).total_count;

    expect(await count({ customer_id: customerId, account_id: 'default:usd', asset: 'usd' })).toBe(
      3,
    );
    expect(await count({ type: 'adjustment', from: TEST_NOW, to: TEST_NOW })).toBe(2);
    expect(await count({ event_id: event.id, fee_id: fee.id })).toBe(1);
    expect(await count({ event_id: event.id, type: 'fee', source: 'usage' })).toBe(1);
    expect(await count({ event_id: event.id, source: 'charge' })).toBe(0);
    expect(await count({ customer_id: 'cust_0000' })).toBe(0);
    expect(await count({ to: '2026-01-15T11:59:59.999Z' })).toBe(0);
    expect((await transactions(key, { limit: 1, offset: 1 })).items[0].amount).toBe(10);
  });

  it('accepts the external id of a customer, and looks in its own account first', async () => {
    const { key } = await aUser(client, { customer: { external_id: 'acme' } });
    const { id: account } = await api(
      'createConnectedAccount',
      { key, body: { name: 'Sub' } },
      201,
    );
    const headers = { 'X-Service-Account': account };
    const charge = async (amount: number, external_id: string, acting: object) => {
      const { id: customerId } = await api(
        'createCustomer',
        { key, body: { name: external_id, external_id }, ...acting },
        201,
      );
      const body = { transaction_id: nextUuid(), asset: 'USD', amount };
      await api('chargeWallet', { key, path: { customerId }, body, ...acting }, 201);
    };
    await charge(1, 'globex', {});
    await charge(2, 'globex', { headers });
    await charge(4, 'initech', { headers });
    const amounts = async (customer_id: string, acting: object = {}) => {
      const parts = { key, query: { customer_id }, ...acting };
      const { items } = await api('listLedgerTransactions', parts);
      return items.map(({ amount }: AnyBody) => amount);
    };

    expect(await amounts('globex')).toEqual([-1]);
    expect(await amounts('globex', { headers })).toEqual([-2]);
    expect(await amounts('initech')).toEqual([-4]);
    expect(await amounts('acme')).toEqual([]);
    expect(await amounts('acme', { headers })).toEqual([]);
    expect(await amounts('nobody')).toEqual([]);
  });

  it('shows a connected account only its own transactions', async () => {
    const { key, customerId } = await anAccount();
    const headers = await asNewAccount(api, key);
    const own = await api('listLedgerTransactions', { key, headers });
    const query = { customer_id: customerId };
    const other = await api('listLedgerTransactions', { key, headers, query });

    expect([own.total_count, other.total_count]).toEqual([0, 0]);
  });
});

describe('verifyLedger', () => {
  it('reports a sound world, and how many records it checked', async () => {
    const { key } = await anAccount();

    expect(await api('verifyLedger', { key })).toEqual({
      sound: true,
      checked: { transactions: 3, wallet_accounts: 1, grants: 2, events: 1, sums: 2 },
      finding_count: 0,
      findings: [],
    });
  });

  /** Table, what changes in it, the change to its last row, and the ledger invariants that this breaks. */
  const damages: readonly (readonly [
    string,
    string,
    (row: AnyBody) => object,
    readonly string[],
  ])[] = [
    [
      'wallet_accounts',
      'a balance',
      () => ({ available: '8' }),
      ['balance_replayed', 'available_covered'],
    ],
    [
      'grants',
      'a remainder',
      ({ remaining }) => ({ remaining: `-${remaining}1` }),
      ['grant_not_overdrawn', 'grant_accounted', 'available_covered'],
    ],
    ['grants', 'a grant', () => ({ repaid: '1' }), ['debt_repaid_first', 'grant_accounted']],
    [
      'transactions',
      'an amount',
      ({ postings: [posting] }) => ({ postings: [{ ...posting, amount: '4' }] }),
      ['balance_replayed', 'fee_posted', 'grant_accounted', 'revenue_complete'],
    ],
    [
      'transactions',
      'a direction',
      ({ postings: [posting] }) => ({ postings: [{ ...posting, from: 'revenue' }] }),
      [
        'transaction_balanced',
        'balance_replayed',
        'fee_posted',
        'grant_accounted',
        'revenue_complete',
      ],
    ],
    ['transactions', 'a fee id', () => ({ fee_id: 'fee_0' }), ['fee_posted']],
    ['transactions', 'a balance after', () => ({ balance_after: '0' }), ['balance_replayed']],
    ['grants', 'a worth', () => ({ worth: { kind: 'paid', amount: '9' } }), ['draw_valued']],
    ['events', 'the revenue', () => ({ revenue: '7' }), ['sum_recounted']],
    ['totals', 'a total', () => ({ cost: '0.01' }), ['sum_recounted']],
    ['totals', 'a day', () => ({ revenue: '77' }), ['sum_recounted']],
  ];

  it.each(damages)(
    'in %s reports the ledger invariants broken by changing %s',
    async (name, _, change, invariants) => {
      const { key } = await anAccount();
      const world = client.emulator.worlds.find(key);
      const table = world?.tables[name as 'grants'];
      const row = [...(table?.values() ?? [])].at(-1) as Row;
      table?.set(row.id, { ...row, ...change(row) } as never);
      const report = await api('verifyLedger', { key });
      table?.set(row.id, row as never);

      expect(report.sound).toBe(false);
      expect(report.finding_count).toBe(report.findings.length);
      expect(
        [
          ...new Set(report.findings.map(({ invariant }: { invariant: string }) => invariant)),
        ].sort(),
      ).toEqual([...invariants].sort());
    },
  );
});
