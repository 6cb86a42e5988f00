import {
  aCustomer,
  adjustment,
  aFreshCustomer,
  anAdjustment,
  anAsset,
  api,
  call,
  check,
  describe,
  expect,
  refused,
  unknownId,
} from '../kit/index.ts';
import { balance, change, charge } from './shared/wallets.ts';

describe('getWallet', () => {
  check(
    'WAL-01',
    { requirement: ['R-WAL-01', 'R-WAL-03', 'R-WAL-17'], level: 'MUST', effect: 'E0' },
    'wallet → accounts with id, name, asset, numeric available',
    async () => {
      const customer = await aCustomer();
      await anAdjustment(customer);
      const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);

      expect(accounts.length).toBeGreaterThan(0);
      for (const account of accounts) {
        expect(account.id).toBe(`${account.name}:${account.asset}`);
        expect(account.available).toBeTypeOf('number');
      }
    },
  );
});

describe('getWalletAccount', () => {
  check(
    'WAL-02',
    { requirement: ['R-WAL-02', 'R-WAL-04', 'R-WAL-19'], level: 'MUST', effect: 'E0' },
    'account id equals name:asset and works url-encoded and plain; detail adds pending_in and pending_out',
    async () => {
      const customer = await aCustomer();
      await anAdjustment(customer);
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const encoded = await api('getWalletAccount', { path }, 200);
      const plain = await call('getWalletAccount', { path, isPlainPath: true }, [200]);

      expect(encoded).toMatchObject({ id: 'default:USD', name: 'default', asset: 'USD' });
      expect(encoded.pending_in).toBeTypeOf('number');
      expect(encoded.pending_out).toBeTypeOf('number');
      expect(plain.body).toEqual(encoded);
    },
  );
});

describe('adjustWallet', () => {
  check(
    'WAL-03',
    { requirement: ['R-WAL-08', 'R-WAL-13', 'R-WAL-28', 'R-WAL-32'], level: 'MUST', effect: 'E3' },
    '+10.25 adjustment → 201 id, created_at; available rises by exactly 10.25',
    async () => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      const delta = await change(customer, async () => {
        const made = await api('adjustWallet', { path, body: adjustment({ amount: 10.25 }) }, 201);

        expect(made.id).not.toBe('');
        expect(made.created_at).not.toBe('');
      });

      expect(delta).toBe('10.25');
    },
  );

  check(
    'WAL-04',
    { requirement: 'R-WAL-09', level: 'MUST', effect: 'E3' },
    'negative adjustment lowers it exactly',
    async () => {
      const customer = await aCustomer();
      const body = adjustment({ amount: -3.75, reason: 'external_refund' });
      const delta = await change(customer, () =>
        api('adjustWallet', { path: { customerId: customer.id }, body }, 201),
      );

      expect(delta).toBe('-3.75');
    },
  );

  check(
    'WAL-05',
    { requirement: 'R-WAL-34', level: 'MUST', effect: 'E3' },
    'same transaction_id again → success, balance changed once',
    async () => {
      const customer = await aCustomer();
      const request = { path: { customerId: customer.id }, body: adjustment({ amount: 2.5 }) };
      const delta = await change(customer, async () => {
        const first = await api('adjustWallet', request, 201);
        const second = await call('adjustWallet', request, [200, 201]);

        expect(second.body.id).toBe(first.id);
      });

      expect(delta).toBe('2.5');
    },
  );

  check(
    'WAL-10',
    { requirement: 'R-WAL-07', level: 'IMPLIED', effect: 'E3' },
    "amounts at the asset's precision survive without float noise (0.1 + 0.2) (precision)",
    async () => {
      const customer = await aFreshCustomer();
      await anAdjustment(customer, { amount: 0.1 });
      await anAdjustment(customer, { amount: 0.2 });

      expect(String(await balance(customer))).toBe('0.3');
    },
  );

  check(
    'WAL-11',
    { requirement: 'R-WAL-05', level: 'IMPLIED', effect: 'E3' },
    'adjustment in one asset leaves other accounts untouched (one asset per account)',
    async () => {
      const customer = await aCustomer();
      const { code } = await anAsset();
      const delta = await change(customer, () =>
        anAdjustment(customer, { asset: code, amount: 7 }),
      );

      expect(delta).toBe('0');
    },
  );

  check(
    'WAL-16',
    { requirement: ['R-ERR-21', 'R-WAL-44'], level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'adjustment for unknown customer → 422, 404 or 400',
    async (t) => {
      const path = { customerId: unknownId('cust') };
      const { status } = await refused(
        'adjustWallet',
        { path, body: adjustment() },
        [400, 404, 422],
      );
      t.observe('adjustment of an unknown customer', status);

      expect(status).toBe(422);
    },
  );

  check(
    'WAL-17',
    { requirement: 'R-CONV-17', level: 'MUST', effect: 'E1' },
    'transaction_id that is not UUID-shaped on adjustment and charge → rejected',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      const transaction_id = 'not-a-uuid';
      await refused('adjustWallet', { path, body: { ...adjustment(), transaction_id } });
      await refused('chargeWallet', { path, body: charge({ transaction_id }) });
    },
  );

  check(
    'WAL-76',
    { requirement: 'R-WAL-12', level: 'MUST', effect: 'E1' },
    'each of the four reasons is accepted; any other → rejected: another reason is refused',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      await refused('adjustWallet', { path, body: { ...adjustment(), reason: 'because' } });
    },
  );
});
