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
  pseudoRandom,
  Rational,
  refused,
  unknownId,
} from '../kit/index.ts';
import { balance, change, charge, grantOf } from './shared/wallets.ts';

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

  check(
    'WAL-29',
    { requirement: 'R-WAL-51', level: 'ASSUMED', effect: 'E3', assumes: 'A-702' },
    'account never used → 404; after an adjustment without account_name → default:ASSET exists',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id, accountId: 'default:USD' };
      await api('getWalletAccount', { path }, 404);
      await anAdjustment(customer);

      expect(await api('getWalletAccount', { path }, 200)).toMatchObject({ name: 'default' });
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
    'WAL-06',
    { requirement: 'R-WAL-39', level: 'ASSUMED', effect: 'E3', assumes: 'A-707' },
    'same transaction_id, other amount → the original response, 422 or 400; the second amount is never applied (not shown)',
    async (t) => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      const body = adjustment({ amount: 4 });
      const delta = await change(customer, async () => {
        await api('adjustWallet', { path, body }, 201);
        const { status } = await call(
          'adjustWallet',
          { path, body: { ...body, amount: 9 } },
          [200, 201, 400, 422],
        );
        t.observe('same transaction_id, other amount', status);
        await assuming('A-707', async () => expect(status).toBe(422));
      });

      expect(delta).toBe('4');
    },
  );

  check(
    'WAL-07',
    { requirement: 'R-WAL-36', level: 'IMPLIED', effect: 'E3' },
    '20 parallel identical adjustments → balance changed once (idempotency key)',
    async () => {
      const customer = await aCustomer();
      const request = { path: { customerId: customer.id }, body: adjustment({ amount: 1.25 }) };
      const delta = await change(customer, () =>
        Promise.all(Array.from({ length: 20 }, () => call('adjustWallet', request, [200, 201]))),
      );

      expect(delta).toBe('1.25');
    },
  );

  check(
    'WAL-09',
    { requirement: 'R-WAL-06', level: 'IMPLIED', effect: 'E3' },
    'sum of the postings = balance change over a random sequence of 50 operations (ledger identity)',
    async () => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      let posted = Rational.of(0);
      const delta = await change(customer, async () => {
        for (let count = 0; count < 50; count += 1) {
          const cents = pseudoRandom(2_000) - 1_000 || 1;
          const reason = cents > 0 ? 'external_topup' : 'external_refund';
          await api(
            'adjustWallet',
            { path, body: adjustment({ amount: cents / 100, reason }) },
            201,
          );
          posted = posted.plus(Rational.of(cents).over(100));
        }
      });

      expect(delta).toBe(String(posted));
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
    'WAL-18',
    { requirement: 'R-WAL-10', level: 'MUST', effect: 'E3' },
    'adjustment with account_name → that account changes, default does not',
    async () => {
      const customer = await aCustomer();
      const other = await change(
        customer,
        async () => {
          const main = await change(customer, () =>
            anAdjustment(customer, { account_name: 'contract', amount: 6 }),
          );
          expect(main).toBe('0');
        },
        'contract:USD',
      );

      expect(other).toBe('6');
    },
  );

  check(
    'WAL-19',
    { requirement: 'R-WAL-11', level: 'MUST', effect: 'E3' },
    'adjustment with description, metadata and future expires_at → 201; the grant shows the expiry',
    async () => {
      const customer = await aCustomer();
      const expires_at = now(3_600_000);
      const body = adjustment({ description: 'Goodwill', reason: 'gift', expires_at });
      await api('adjustWallet', { path: { customerId: customer.id }, body }, 201);
      const grant = await grantOf(customer);

      expect(Date.parse(grant?.expires_at ?? '')).toBe(Date.parse(expires_at));
    },
  );

  check(
    'WAL-20',
    { requirement: 'R-WAL-12', level: 'MUST', effect: 'E3' },
    'each of the four reasons is accepted; any other → rejected: each of the four reasons is accepted',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      for (const reason of ['external_topup', 'external_refund', 'gift', 'other'] as const)
        await api('adjustWallet', { path, body: adjustment({ reason }) }, 201);
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

  check(
    'WAL-24',
    { requirement: 'R-WAL-38', level: 'ASSUMED', effect: 'E1', assumes: 'A-707' },
    'adjustment without each of transaction_id, asset, amount, reason, and with amount 0 → rejected',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      for (const field of ['transaction_id', 'asset', 'amount', 'reason'] as const) {
        const { [field]: _, ...body } = adjustment();
        await refused('adjustWallet', { path, body });
      }
      await refused('adjustWallet', { path, body: { ...adjustment(), amount: 0 } });
    },
  );
});
