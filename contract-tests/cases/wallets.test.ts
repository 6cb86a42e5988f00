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
  describe,
  expect,
  now,
  type OwnObject,
  refused,
  table,
  unknownId,
  uuid,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { request } from './shared/top-ups.ts';
import { balance, change, charge } from './shared/wallets.ts';

describe('getWallet and getWalletAccount', () => {
  check(
    'WAL-01',
    {
      requirement: ['R-WAL-01', 'R-WAL-02', 'R-WAL-03', 'R-WAL-04', 'R-WAL-17', 'R-WAL-19'],
      level: 'MUST',
      effect: 'E0',
    },
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
});

/** Moves money twice by one transaction_id, and expects one change of the balance and one transaction. */
async function expectMovedOnce(
  operation: 'adjustWallet' | 'chargeWallet',
  body: Fields,
  moved: string,
): Promise<void> {
  const customer = await aCustomer();
  const request = { path: { customerId: customer.id }, body };
  const account = `${body['account_name'] ?? 'default'}:USD`;
  await anAdjustment(customer, { account_name: account.split(':')[0] as string });
  const delta = await change(
    customer,
    async () => {
      const first = await call(operation, request, [201]);
      const second = await call(operation, request, [200, 201]);

      expect(second.body.id, 'id of the repeat').toBe(first.body.id);
      if (operation === 'adjustWallet')
        expect(Date.parse(first.body.created_at), 'created_at').not.toBeNaN();
    },
    account,
  );
  expect(delta, 'change of the balance').toBe(moved);
  const path = { ...request.path, transactionId: String(body['transaction_id']) };
  const transaction = await api('getWalletTransaction', { path }, 200);

  await assuming('A-709', async () =>
    expect(transaction).toMatchObject({
      ...{ id: body['transaction_id'], account_id: account, asset: 'USD', amount: Number(moved) },
      type: operation === 'chargeWallet' ? 'fee' : 'adjustment',
    }),
  );
}

describe('adjustWallet', () => {
  table<NonNullable<Parameters<typeof adjustment>[0]>>(
    'WAL-03',
    {
      requirement: [
        ...['R-WAL-08', 'R-WAL-09', 'R-WAL-12', 'R-WAL-13', 'R-WAL-28', 'R-WAL-30'],
        ...['R-WAL-31', 'R-WAL-32', 'R-WAL-34', 'R-WAL-50'],
      ],
      level: 'MUST',
      effect: 'E3',
    },
    'adjustment with each reason, above and below 0 → 201, and the balance changes by exactly that, once, also if sent again; its transaction is found by id',
    {
      'external_topup of 10.25': { reason: 'external_topup', amount: 10.25 },
      'gift of 2.5': { reason: 'gift', amount: 2.5 },
      'other of 5.5': { reason: 'other', amount: 5.5 },
      'external_refund of -3.75': { reason: 'external_refund', amount: -3.75 },
    },
    async (changes) => expectMovedOnce('adjustWallet', adjustment(changes), `${changes.amount}`),
  );

  check(
    'WAL-12',
    { requirement: 'R-WAL-31', level: 'MUST', effect: 'E3' },
    'transaction with an unknown id → 404, beside another',
    async () => {
      const customer = await aCustomer();
      await anAdjustment(customer);
      const path = { customerId: customer.id, transactionId: unknownId() };
      await api('getWalletTransaction', { path }, 404);
    },
  );

  check(
    'WAL-10',
    { requirement: ['R-WAL-05', 'R-WAL-07'], level: 'IMPLIED', effect: 'E3' },
    'adjustments of 0.1 and 0.2 → 0.3, without float noise; one of another asset and others of ten account names leave it untouched, and the wallet shows all twelve',
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
});

describe('chargeWallet', () => {
  table(
    'WAL-08',
    {
      requirement: ['R-WAL-14', 'R-WAL-15', 'R-WAL-29', 'R-WAL-33', 'R-WAL-35', 'R-WAL-42'],
      level: 'MUST',
      effect: 'E4',
    },
    'charge → 201, and the balance of its account falls by exactly that, once, also if sent again',
    {
      'the default account': {},
      'another account, with subject, description and metadata': {
        account_name: 'contract',
        subject: 'contract/set-up',
        description: 'Set-up',
        metadata: { invoice: '17' },
      },
    },
    async (changes) => expectMovedOnce('chargeWallet', charge(changes), '-1.5'),
  );

  check(
    'WAL-15',
    { requirement: 'R-WAL-43', level: 'ASSUMED', effect: 'E4', assumes: 'A-703' },
    'charge above balance → 201 with a negative balance, or 422 (not shown)',
    async (t) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await anAdjustment(customer, { amount: 1 });
      const body = charge({ amount: 3 });
      const { status } = await call('chargeWallet', { path, body }, [201, 422]);
      t.observeSetting('overdraft', status === 201 ? 'allow' : 'deny');

      expect(status).toBe(201);
      expect(String(await balance(customer))).toBe('-2');
    },
  );
});

describe('rejected movements', () => {
  check(
    'WAL-16',
    { requirement: ['R-ERR-21', 'R-WAL-44'], level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'adjustment for unknown customer → 422, 404 or 400',
    async (t) => {
      const parts = { path: { customerId: unknownId('cust') }, body: adjustment() };
      const { status } = await refused('adjustWallet', parts, [400, 404, 422]);
      t.observe('adjustment of an unknown customer', status);

      expect(status).toBe(422);
    },
  );

  check(
    'WAL-17',
    { requirement: ['R-CONV-17', 'R-WAL-12'], level: 'MUST', effect: 'E1' },
    'transaction_id that is not UUID-shaped on adjustment and charge, and any other reason → rejected',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      for (const transaction_id of ['not-a-uuid', `${uuid()}0`]) {
        await refused('adjustWallet', { path, body: { ...adjustment(), transaction_id } });
        await refused('chargeWallet', { path, body: charge({ transaction_id }) });
      }
      for (const reason of ['because', 'Gift'])
        await refused('adjustWallet', { path, body: { ...adjustment(), reason } });
    },
  );

  const idsOf = async ({ id }: OwnObject) =>
    (await api('getWallet', { path: { customerId: id } }, 200)).accounts.map((one) => one.id);

  check(
    'WAL-53',
    {
      requirement: ['R-WAL-38', 'R-WAL-40', 'R-WAL-60'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-702', 'A-707', 'A-708'],
    },
    'adjustments, charges and top-ups with an invalid account_name or an unknown asset, charges without a field that they need, and adjustments with an end in the past → rejected, no account is opened',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const names = ['Default', 'a:b', '', ' ', '-a', '_a', 'a b', 'a.b', 'é', 'a\n'];
      const places = [
        ...[...names, 'a'.repeat(65)].map((account_name) => ({ account_name })),
        ...['CTNOWHERE', 'usd', '', 'A'.repeat(65)].map((asset) => ({ asset })),
      ];
      for (const destination of places) {
        await refused('adjustWallet', { path, body: adjustment(destination) });
        await refused('chargeWallet', { path, body: charge(destination) });
        await refused('createTopUp', { body: request(customer, { destination }) });
      }
      for (const lacking of ['transaction_id', 'asset', 'amount'])
        await refused('chargeWallet', { path, body: charge({ [lacking]: undefined }) });
      for (const changes of [{ expires_at: now(-1_000) }, { amount: '5' }])
        await refused('adjustWallet', { path, body: { ...adjustment(), ...changes } });

      expect(await idsOf(customer)).toEqual([]);
    },
  );
});
