import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  anAdjustment,
  api,
  assuming,
  building,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  refused,
  uniqueSubject,
  unknownId,
  uuid,
} from '../kit/index.ts';
import { balance, change, charge, grantOf, refusedAsOther } from './shared/wallets.ts';

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
    'charge by input_units, unit_price, input_volume, volume_rate and package_size → amount is their product and sum; a different amount next to them, or a field without the one that it multiplies or divides, is rejected',
    async () => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      const parts = {
        amount: undefined,
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
        for (const lacking of ['unit_price', 'input_volume', 'volume_rate'])
          await refused('chargeWallet', { path, body: charge({ ...parts, [lacking]: undefined }) });
      });
    },
  );

  check(
    'WAL-25',
    { requirement: 'R-WAL-40', level: 'ASSUMED', effect: 'E1', assumes: 'A-708' },
    'charge without transaction_id, without asset, with neither amount nor parts → rejected',
    async () => {
      const path = { customerId: (await aCustomer()).id };
      await refused('chargeWallet', { path, body: charge({ transaction_id: undefined }) });
      await refused('chargeWallet', { path, body: charge({ asset: undefined }) });
      await refused('chargeWallet', { path, body: charge({ amount: undefined }) });
    },
  );

  check(
    'WAL-27',
    { requirement: 'R-WAL-47', level: 'ASSUMED', effect: 'E4', assumes: 'A-705' },
    'promotion, bundled and paid grants, then charges → drawn in that order',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const entitlement = { name: 'Included', asset: code, amount: 10, purpose: 'bundled' };
      const product = await aFreshProduct({ prices: [], entitlements: [entitlement] });
      const customer = await aFreshCustomer({
        subscriptions: [{ products: [{ id: product.id }] }],
      });
      await anAdjustment(customer, { asset: code, reason: 'external_topup' });
      await anAdjustment(customer, { asset: code, reason: 'gift' });
      const remainders: string[] = [];
      for (const drawn of [4, 10, 10]) {
        await charged(customer, code, drawn);
        remainders.push(await remaindersOf(customer, `default:${code}`));
      }

      expect(remainders).toEqual([
        'bundled 10, paid 10, promotion 6',
        'bundled 6, paid 10, promotion 0',
        'bundled 0, paid 6, promotion 0',
      ]);
    },
  );

  check(
    'WAL-28',
    { requirement: 'R-WAL-48', level: 'ASSUMED', effect: 'E4', assumes: 'A-705' },
    'two paid grants with different ends → the one that ends sooner is drawn first',
    async () => {
      const customer = await aFreshCustomer();
      await anAdjustment(customer, { expires_at: now(7_200_000) });
      const later = await grantOf(customer);
      await anAdjustment(customer, { expires_at: now(3_600_000) });
      const sooner = await grantOf(customer);
      await charged(customer, 'USD', 4);

      expect((await grantOf(customer, sooner?.id))?.available).toBe(6);
      expect((await grantOf(customer, later?.id))?.available).toBe(10);
    },
  );

  check(
    'WAL-30',
    { requirement: 'R-WAL-52', level: 'ASSUMED', effect: 'E4', assumes: 'A-705' },
    'credit after a negative balance → what its grant has left is reduced by the debt',
    async () => {
      const customer = await aFreshCustomer();
      await charged(customer, 'USD', 3);
      await anAdjustment(customer, { amount: 10 });

      expect((await grantOf(customer))?.available).toBe(7);
      expect(String(await balance(customer))).toBe('7');
    },
  );
});

function charged({ id }: OwnObject, asset: string, drawn: number): Promise<unknown> {
  return building('charge', () =>
    api('chargeWallet', { path: { customerId: id }, body: charge({ asset, amount: drawn }) }, 201),
  );
}

/** The remaining credit of each purpose, such as `bundled 0, paid 6`. */
async function remaindersOf({ id }: OwnObject, accountId: string): Promise<string> {
  const { items } = await api('listGrants', { path: { customerId: id, accountId } }, 200);
  return items
    .map(({ purpose, available }) => `${purpose} ${available}`)
    .sort()
    .join(', ');
}

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

describe('repeated and similar charges', () => {
  check(
    'WAL-56',
    { requirement: 'R-WAL-39', level: 'ASSUMED', effect: 'E4', assumes: 'A-707' },
    'a charge repeated with unit_price and input_units swapped, and with each other field changed → rejected, naming transaction_id; charged once',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const once = { transaction_id: uuid(), asset: 'USD', input_units: 3, unit_price: 0.5 };
      const charge = { ...once, description: 'Set-up' };
      await call('chargeWallet', { path, body: charge }, [201]);
      for (const changes of [
        { input_units: 0.5, unit_price: 3 },
        { description: 'Set-up again' },
        { description: undefined },
        { subject: 'contract' },
        { account_name: 'contract' },
        { metadata: { other: 'one' } },
      ])
        await refusedAsOther('chargeWallet', customer, { ...charge, ...changes });
      const { accounts } = await api('getWallet', { path }, 200);

      expect(accounts.map(({ available }) => available)).toEqual([-1.5]);
    },
  );
});
