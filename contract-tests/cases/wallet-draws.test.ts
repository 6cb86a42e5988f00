import {
  adjustment,
  aFreshCustomer,
  aheadOf,
  anAdjustment,
  api,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
  table,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { DAY_MS } from './shared/times.ts';
import { balance, charge, charged, grantOf, grantsOf } from './shared/wallets.ts';

describe('getWalletTransaction', () => {
  const paid = { amount: 5, reason: 'external_topup' } as const;

  table<readonly [operation: 'adjustWallet' | 'chargeWallet', body: Fields, moved: number]>(
    'WAL-47',
    {
      requirement: ['R-WAL-39', 'R-WAL-50', 'R-WAL-60'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-709', 'A-707'],
    },
    'credit, a negative refund, a charge by amount and one with its parts → complete transactions: type, account, signed amount, executed_at; a repeat returns the first response',
    {
      'a gift': ['adjustWallet', { ...paid, reason: 'gift' }, 5],
      'credit of an account with the longest name': [
        'adjustWallet',
        { ...paid, account_name: `a${'_-9'.repeat(21)}` },
        5,
      ],
      'a refund': ['adjustWallet', { reason: 'external_refund', amount: -2 }, -2],
      // The whole amount, although a part of it goes into debt.
      'a charge beyond the credit': ['chargeWallet', { amount: 7, description: 'Set-up' }, -7],
      'a charge of an account not there yet': [
        'chargeWallet',
        { account_name: '0', subject: 'set-up' },
        -1.5,
      ],
      'a charge with parts': [
        'chargeWallet',
        { amount: 1.5, input_units: 3, unit_price: 0.5, metadata: { invoice: '7' } },
        -1.5,
      ],
    },
    async ([operation, changes, moved]) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await anAdjustment(customer, paid);
      const isCharge = operation === 'chargeWallet';
      const body: Fields = isCharge ? charge(changes) : adjustment(changes);
      const before = now(-60_000);
      const first = await call(operation, { path, body }, [201]);
      const { transaction_id, account_name = 'default', description, metadata } = body;
      const of = { ...path, transactionId: String(transaction_id) };
      const { created_at, executed_at, ...shown } = await api(
        'getWalletTransaction',
        { path: of },
        200,
      );

      expect(shown).toEqual({
        ...{ id: transaction_id, type: isCharge ? 'fee' : 'adjustment' },
        ...{ account_id: `${account_name}:USD`, asset: 'USD', amount: moved },
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      });
      expect(Date.parse(created_at)).toBeGreaterThan(Date.parse(before));
      expect(executed_at).toBe(created_at);
      expect((await call(operation, { path, body }, [201])).body).toEqual(first.body);
      const left = (account_name === 'default' ? 5 : 0) + moved;
      expect(String(await balance(customer, `${account_name}:USD`))).toBe(`${left}`);
      const at = { path: { ...path, accountId: `${account_name}:USD` } };
      expect(await api('getWalletAccount', at, 200)).toEqual({
        ...{ id: `${account_name}:USD`, name: account_name, asset: 'USD', available: left },
        ...{ pending_in: 0, pending_out: 0 },
      });
    },
  );
});

/** What is given to a customer and taken again, step by step. */
interface Draws {
  /** Positive adjustments, in order. */
  readonly given: readonly Fields[];
  /** Each charge or adjustment, and what is then left of each credit in the order in which it was given. */
  readonly taken: readonly (readonly [body: Fields, left: readonly number[]])[];
}

describe('order in which credit is drawn', () => {
  const four = () => [
    { reason: 'external_topup', amount: 10 },
    { reason: 'gift', amount: 20 },
    { reason: 'external_topup', amount: 30, expires_at: now(DAY_MS) },
    { reason: 'gift', amount: 40, expires_at: now(DAY_MS) },
  ];
  const takes = (amount: number) => charge({ amount });
  const moves = (reason: string, amount: number) => adjustment({ reason, amount } as never);

  table<() => Draws>(
    'WAL-50',
    {
      requirement: ['R-WAL-47', 'R-WAL-48', 'R-WAL-52', 'R-WAL-56', 'R-WAL-58'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-704', 'A-705'],
    },
    'credit is drawn by purpose, end and start; a negative refund draws paid credit first; credit repays debt first',
    {
      'charges: gifts before paid credit, what ends before what does not': () => ({
        given: four(),
        taken: [
          [takes(1), [10, 20, 30, 39]],
          [takes(45), [10, 14, 30, 0]],
          [takes(40), [10, 0, 4, 0]],
          [takes(14), [0, 0, 0, 0]],
        ],
      }),
      'negative adjustments: a refund draws paid credit first': () => ({
        given: four(),
        taken: [
          [moves('gift', -1), [10, 20, 30, 39]],
          [moves('other', -1), [10, 20, 30, 38]],
          [moves('external_refund', -1), [10, 20, 29, 38]],
          [moves('external_refund', -34), [5, 20, 0, 38]],
          [moves('external_refund', -10), [0, 20, 0, 33]],
        ],
      }),
      'credit with an earlier start before that given first': () => ({
        given: [
          { reason: 'external_topup', amount: 10 },
          { reason: 'external_topup', amount: 10, effective_at: now(-DAY_MS) },
        ],
        taken: [[takes(4), [10, 6]]],
      }),
      'credit that repays a debt of 10': () => ({
        given: [],
        taken: [
          [takes(10), []],
          [moves('external_topup', 4), [0]],
          [moves('external_topup', 9), [0, 3]],
          [moves('external_topup', 2), [0, 3, 2]],
        ],
      }),
    },
    async (drawsOf) => {
      const { given, taken } = drawsOf();
      const customer = await aFreshCustomer();
      for (const credit of given) await anAdjustment(customer, credit as never);
      const open = given.length > 0 ? await grantsOf(customer) : [];
      let ids = open.map(({ id }) => id).reverse();
      let total = given.reduce((sum, { amount: one }) => sum + Number(one), 0);
      for (const [body, left] of taken) {
        const operation = 'reason' in body ? 'adjustWallet' : 'chargeWallet';
        await call(operation, { path: { customerId: customer.id }, body }, [201]);
        total += Number(body['amount']) * (operation === 'adjustWallet' ? 1 : -1);
        const after = new Map((await grantsOf(customer)).map((one) => [one.id, one.available]));
        ids = [...ids, ...[...after.keys()].filter((id) => !ids.includes(id))];

        expect(
          ids.map((id) => after.get(id)),
          JSON.stringify(body),
        ).toEqual(left);
        expect(String(await balance(customer)), JSON.stringify(body)).toBe(`${total}`);
      }
    },
  );
});

describe('credit that ends', () => {
  check(
    'WAL-31',
    { requirement: 'R-WAL-49', level: 'ASSUMED', effect: 'E4', assumes: 'A-706' },
    'partly drawn credit expires → balance falls by what is left of it, later charges draw on other credit',
    async () => {
      const { customer, path, before, drawn } = await aheadOf(async (expires_at) => {
        const customer = await aFreshCustomer();
        await anAdjustment(customer, { amount: 5 });
        await anAdjustment(customer, { reason: 'gift', amount: 10, expires_at });
        const path = { customerId: customer.id, accountId: 'default:USD' };
        await charged(customer, { amount: 4 });
        const [before, drawn] = [await balance(customer), await grantOf(customer)];
        return { customer, path, before, drawn };
      });
      const after = await eventually(
        () => balance(customer),
        (left) => !left.equals(before),
      );
      await charged(customer, { amount: 2 });
      const { items } = await api('listGrants', { path, query: { exclude_expired: true } }, 200);

      expect([String(before), drawn?.available, String(after)]).toEqual(['11', 6, '5']);
      expect(String(await balance(customer))).toBe('3');
      expect(items.map(({ available }) => available)).toEqual([3]);
    },
  );
});
