import {
  aCustomer,
  aFreshCustomer,
  anAdjustment,
  api,
  assuming,
  call,
  check,
  describe,
  expect,
  refused,
  uniqueSubject,
  unknownId,
} from '../kit/index.ts';
import { balance, change, charge } from './shared/wallets.ts';

describe('chargeWallet', () => {
  check(
    'WAL-08',
    {
      requirement: ['R-WAL-14', 'R-WAL-29', 'R-WAL-33', 'R-WAL-35', 'R-WAL-42'],
      level: 'MUST',
      effect: 'E4',
    },
    'charge → 201 and available falls; retry is safe',
    async () => {
      const customer = await aCustomer();
      const request = { path: { customerId: customer.id }, body: charge({ amount: 1.5 }) };
      await anAdjustment(customer);
      const delta = await change(customer, async () => {
        await api('chargeWallet', request, 201);
        await call('chargeWallet', request, [200, 201]);
      });

      expect(delta).toBe('-1.5');
    },
  );

  check(
    'WAL-15',
    { requirement: 'R-WAL-43', level: 'ASSUMED', effect: 'E4', assumes: 'A-703' },
    'charge above balance → 201 with a negative balance, or 422 (not shown)',
    async (t) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await anAdjustment(customer, { amount: 1 });
      const { status } = await call(
        'chargeWallet',
        { path, body: charge({ amount: 3 }) },
        [201, 422],
      );
      t.observeSetting('overdraft', status === 201 ? 'allow' : 'deny');

      expect(status).toBe(201);
      expect(String(await balance(customer))).toBe('-2');
    },
  );

  check(
    'WAL-21',
    { requirement: 'R-WAL-15', level: 'MUST', effect: 'E4' },
    'charge with account_name, subject, description and metadata → 201; the balance of that account falls',
    async () => {
      const customer = await aCustomer();
      await anAdjustment(customer, { account_name: 'contract' });
      const body = charge({
        account_name: 'contract',
        subject: uniqueSubject(),
        description: 'Set-up',
        metadata: { invoice: '17' },
      });
      const delta = await change(
        customer,
        () => api('chargeWallet', { path: { customerId: customer.id }, body }, 201),
        'contract:USD',
      );

      expect(delta).toBe('-1.5');
    },
  );

  check(
    'WAL-22',
    { requirement: ['R-WAL-16', 'R-WAL-41'], level: 'MUST', effect: 'E4', assumes: 'A-708' },
    'charge by input_units, unit_price, input_volume, volume_rate and package_size → amount is their product and sum; a different amount, none, or a field without the one that it multiplies or divides, is rejected',
    async () => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      const parts = {
        amount: 2.5,
        input_units: 3,
        unit_price: 0.5,
        input_volume: 250,
        volume_rate: 4,
        package_size: 1000,
      };
      // 3 × 0.5 + 250 ÷ 1000 × 4 = 2.5
      await assuming('A-708', async () => {
        const delta = await change(customer, () =>
          api('chargeWallet', { path, body: charge(parts) }, 201),
        );
        expect(delta).toBe('-2.5');
        await refused('chargeWallet', { path, body: charge({ ...parts, amount: 2 }) });
        for (const lacking of ['amount', 'unit_price', 'input_volume', 'volume_rate'])
          await refused('chargeWallet', { path, body: charge({ ...parts, [lacking]: undefined }) });
      });
    },
  );

  check(
    'WAL-25',
    { requirement: 'R-WAL-40', level: 'ASSUMED', effect: 'E1', assumes: 'A-708' },
    'charge without transaction_id, without asset or without amount → rejected',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      await refused('chargeWallet', { path, body: charge({ transaction_id: undefined }) });
      await refused('chargeWallet', { path, body: charge({ asset: undefined }) });
      await refused('chargeWallet', { path, body: charge({ amount: undefined }) });
    },
  );
});

describe('getWalletTransaction', () => {
  check(
    'WAL-12',
    { requirement: ['R-WAL-30', 'R-WAL-31', 'R-WAL-50'], level: 'MUST', effect: 'E3' },
    'transaction readable by its id; unknown id → 404',
    async () => {
      const customer = await aCustomer();
      const transactionId = await anAdjustment(customer, { amount: 5.5 });
      const path = { customerId: customer.id, transactionId };
      const transaction = await api('getWalletTransaction', { path }, 200);

      await assuming('A-709', async () => {
        expect(transaction).toMatchObject({
          id: transactionId,
          type: 'adjustment',
          account_id: 'default:USD',
          asset: 'USD',
          amount: 5.5,
        });
      });
      await api('getWalletTransaction', { path: { ...path, transactionId: unknownId() } }, 404);
    },
  );
});
