import {
  aCustomer,
  adjustment,
  aFreshCustomer,
  anAdjustment,
  anAsset,
  api,
  assuming,
  call,
  check,
  expect,
  now,
  table,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { DAY_MS } from './shared/times.ts';
import { balance, charge, grantsOf } from './shared/wallets.ts';

check(
  'WAL-01',
  { requirement: 'R-WAL-01 R-WAL-02 R-WAL-03 R-WAL-04 R-WAL-17 R-WAL-19', effect: 'E0' },
  'wallet → accounts with id name:asset and numeric available; each by its id, url-encoded and plain, the same with pending_in and pending_out',
  async () => {
    const customer = await aCustomer();
    await anAdjustment(customer);
    const path = { customerId: customer.id };
    const { accounts } = await api('getWallet', { path }, 200);
    expect(accounts.map(({ id }) => id)).toContain('default:USD');

    for (const account of accounts) {
      const at = { path: { ...path, accountId: account.id } };
      const encoded = await api('getWalletAccount', at, 200);
      const plain = await call('getWalletAccount', { ...at, isPlainPath: true }, [200]);

      expect(account.id).toBe(`${account.name}:${account.asset}`);
      expect(account.available, account.id).toBeTypeOf('number');
      expect(encoded, account.id).toMatchObject(account);
      expect(encoded.pending_in, `${account.id}: pending_in`).toBeTypeOf('number');
      expect(encoded.pending_out, `${account.id}: pending_out`).toBeTypeOf('number');
      expect(plain.body, `${account.id}, plain`).toEqual(encoded);
    }
  },
);

const adjusts = (body: Fields) => ['adjustWallet', adjustment(body)] as const;
const charges = (body: Fields) => ['chargeWallet', charge(body)] as const;

table<() => readonly ['adjustWallet' | 'chargeWallet', body: Fields]>(
  'WAL-03',
  {
    requirement:
      'R-WAL-08 R-WAL-09 R-WAL-12 R-WAL-13 R-WAL-14 R-WAL-15 R-WAL-28 R-WAL-29 R-WAL-30 R-WAL-31 R-WAL-32 R-WAL-33 R-WAL-34 R-WAL-35 R-WAL-39 R-WAL-42 R-WAL-50 R-WAL-60',
    effect: 'E4',
    partly: 'A-707 A-709',
  },
  'adjustment with each reason and charge → 201, and the balance of its account changes by exactly that, once, also if sent again, with the first response; its transaction is found by id, with type, account, signed amount and times',
  {
    'external_topup of 10.25': () => adjusts({ amount: 10.25 }),
    'gift of 2.5': () => adjusts({ reason: 'gift', amount: 2.5, description: 'Gift' }),
    'other of 5.5, of an account with the longest name': () =>
      adjusts({ reason: 'other', amount: 5.5, account_name: `a${'_-9'.repeat(21)}` }),
    'external_refund of -3.75': () => adjusts({ reason: 'external_refund', amount: -3.75 }),
    // The whole amount, although a part of it goes into debt.
    'a charge beyond the credit': () => charges({ amount: 7, description: 'Set-up' }),
    'a charge of an account not there yet': () => charges({ account_name: '0', subject: 'set-up' }),
    'a charge with parts': () =>
      charges({ amount: 1.5, input_units: 3, unit_price: 0.5, metadata: { invoice: '7' } }),
  },
  async (make) => {
    const [operation, body] = make();
    const customer = await aFreshCustomer();
    const customerId = customer.id;
    await anAdjustment(customer, { amount: 5 });
    const parts = { path: { customerId }, body };
    const before = Date.parse(now(-60_000));
    const first = await call(operation, parts, [201]);
    const second = await call(operation, parts, [200, 201]);
    const { transaction_id, account_name = 'default', description, metadata } = body;
    const of = { customerId, transactionId: String(transaction_id) };
    const { created_at, executed_at, ...shown } = await api(
      'getWalletTransaction',
      { path: of },
      200,
    );
    const moved = Number(body['amount']) * (operation === 'chargeWallet' ? -1 : 1);
    const at = { customerId, accountId: `${account_name}:USD` };
    const left = (account_name === 'default' ? 5 : 0) + moved;

    expect(second.body.id, 'id of the repeat').toBe(first.body.id);
    expect(await api('getWalletAccount', { path: at }, 200)).toEqual({
      id: at.accountId,
      name: account_name,
      asset: 'USD',
      available: left,
      pending_in: 0,
      pending_out: 0,
    });
    await assuming('A-707', async () => expect(second.body).toEqual(first.body));
    await assuming('A-709', async () => {
      expect(shown).toEqual({
        id: transaction_id,
        type: operation === 'chargeWallet' ? 'fee' : 'adjustment',
        account_id: at.accountId,
        asset: 'USD',
        amount: moved,
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      });
      expect(Date.parse(created_at)).toBeGreaterThan(before);
      expect(executed_at).toBe(created_at);
    });
  },
);

check(
  'WAL-10',
  { requirement: 'R-WAL-05 R-WAL-07', effect: 'E3' },
  'adjustments of 0.1 and 0.2 → 0.3, without float noise; one in another asset and others in ten further accounts leave it untouched, and the wallet shows all twelve',
  async () => {
    const customer = await aFreshCustomer();
    const { code } = await anAsset();
    await anAdjustment(customer, { amount: 0.1 });
    await anAdjustment(customer, { amount: 0.2 });
    await anAdjustment(customer, { asset: code, amount: 7 });

    expect(String(await balance(customer))).toBe('0.3');
    expect(String(await balance(customer, `default:${code}`))).toBe('7');
    const names = Array.from({ length: 10 }, (_, index) => `contract-${index}`);
    for (const account_name of names) await anAdjustment(customer, { account_name });
    const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);
    expect(accounts.map(({ id }) => id).sort(), 'accounts').toEqual(
      [...names.map((name) => `${name}:USD`), 'default:USD', `default:${code}`].sort(),
    );
  },
);

check(
  'WAL-15',
  { requirement: 'R-WAL-43', effect: 'E4', assumes: 'A-703' },
  'a charge above the balance → 201 and a negative balance, or rejected; which one is recorded',
  async (t) => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    await anAdjustment(customer, { amount: 1 });
    const body = charge({ amount: 3 });
    const { status } = await call('chargeWallet', { path, body }, [201, 422]);
    t.observe('overdraft', status === 201 ? 'allow' : 'deny');

    expect(status).toBe(201);
    expect(String(await balance(customer))).toBe('-2');
  },
);

/** What is given to a customer and taken again, step by step. */
interface Draws {
  /** Positive adjustments, in order. */
  readonly given: readonly Fields[];
  /** Each charge or adjustment, and what is then left of each credit in the order in which it was given. */
  readonly taken: readonly (readonly [body: Fields, left: readonly number[]])[];
}

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
    requirement: 'R-WAL-47 R-WAL-48 R-WAL-52 R-WAL-56 R-WAL-58',
    effect: 'E4',
    assumes: 'A-704 A-705',
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
        // Neither ends, so the start decides.
        { reason: 'gift', amount: 10 },
        { reason: 'gift', amount: 10, effective_at: now(-DAY_MS) },
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
    }
    expect(String(await balance(customer)), 'balance in the end').toBe(`${total}`);
  },
);
