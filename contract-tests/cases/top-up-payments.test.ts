import {
  ADDRESSES,
  aCustomer,
  aFreshCustomer,
  amount,
  api,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  table,
  turnOnAutoTopUp,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { initiate } from './shared/top-ups.ts';
import { balance, charged } from './shared/wallets.ts';

/** Description and metadata of top-ups: none, one, both and null. */
const TEXTS = [
  {},
  { description: 'Credit for "May" é ✨' },
  { metadata: { invoice: '17', 'a key': 'ünï ✨', empty: '' } },
  { description: 'Credit', metadata: { invoice: '18' } },
  { description: null, metadata: null },
];

describe('payment of a top-up', () => {
  const statusOf = async (id: string) =>
    (await api('getTopUp', { path: { topUpId: id } }, 200)).status;

  check(
    'TOP-04',
    { requirement: ['R-TOP-10', 'R-WAL-53'], level: 'IMPLIED', effect: 'E4', assumes: 'A-710' },
    'balance unchanged while initiated (payment flow); unpaid top-up → pending_in unchanged, pending_out 0',
    async () => {
      const customer = await aCustomer();
      await initiate(customer);
      const path = { customerId: customer.id, accountId: 'default:USD' };
      const before = await api('getWalletAccount', { path }, 200);
      await initiate(customer);
      const after = await api('getWalletAccount', { path }, 200);

      for (const field of ['available', 'pending_in'] as const)
        expect(String(amount(after, field)), field).toBe(String(amount(before, field)));
      expect(String(amount(after, 'pending_out')), 'pending_out').toBe('0');
    },
  );

  check(
    'TOP-10',
    {
      requirement: ['R-TOP-05', 'R-TOP-14'],
      level: 'MUST',
      effect: 'E4',
      assumes: 'A-1101',
      needs: 'payment.completable',
    },
    'without destination, paid → default account in the currency rises by the amount; paid → succeeded; declined → failed',
    async () => {
      const customer = await aFreshCustomer();
      for (const [outcome, status] of [
        ['paid', 'succeeded'],
        ['declined', 'failed'],
      ] as const) {
        const { id, redirect_url } = await initiate(customer);
        await completePaymentPage(redirect_url, outcome);
        expect([await statusOf(id), String(await balance(customer))]).toEqual([status, '12.5']);
      }
    },
  );

  table<readonly [currency: string, sent: number]>(
    'TOP-31',
    {
      requirement: 'R-WAL-59',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-304',
      needs: 'payment.completable',
    },
    'paid in currencies with four decimals, three, two and none → the account of each has what was paid',
    {
      four: ['CLF', 1.2345],
      three: ['KWD', 1.234],
      two: ['EUR', 1.15],
      none: ['JPY', 1234],
    },
    async ([currency, sent]) => {
      const customer = await aFreshCustomer();
      const { redirect_url } = await initiate(customer, { currency, amount: sent });
      await completePaymentPage(redirect_url, 'paid');
      expect(String(await balance(customer, `default:${currency}`))).toBe(`${sent}`);
    },
  );

  check(
    'TOP-37',
    {
      requirement: ['R-CONV-18', 'R-TOP-03'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-709',
      needs: 'clock.movable',
    },
    "top-ups with a description, metadata, both and neither, paid at once and pending for a day → the transaction of each one's credit has those that were sent, and no others",
    async (t) => {
      for (const [outcome, paid_at] of [
        ['succeeded', '2026-03-01T12:00:00.000Z'],
        ['processing', '2026-03-02T12:00:00.000Z'],
      ] as const) {
        const { call, path, until } = await aCustomerWorld(t);
        for (const texts of TEXTS) {
          const bought = {
            customer_id: path.customerId,
            amount: 20,
            currency: 'USD',
            ...ADDRESSES,
          };
          const { id } = await call('createTopUp', { body: { ...bought, ...texts } });
          await call('settlePayment', { path: { id }, body: { outcome } });
        }
        await until('2026-03-03T00:00:00.000Z');
        const { items } = await call('listLedgerTransactions', { query: { source: 'top_up' } });
        const credited = [];
        for (const { id: transactionId } of items.reverse())
          credited.push(await call('getWalletTransaction', { path: { ...path, transactionId } }));

        expect(credited).toEqual(
          TEXTS.map((texts) => ({
            ...{ id: expect.any(String), type: 'adjustment', account_id: 'default:USD' },
            ...{ asset: 'USD', amount: 20, created_at: paid_at, executed_at: paid_at },
            ...(texts.description && { description: texts.description }),
            ...(texts.metadata && { metadata: texts.metadata }),
          })),
        );
      }
    },
  );
});

describe('automatic top-up', () => {
  check(
    'TOP-15',
    {
      requirement: 'R-POR-06',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1106',
      needs: 'payment.completable',
    },
    'automatic top-up turned on in the portal → one payment when a charge takes the balance below the threshold, none when it is at the threshold, and none for a charge while it stays below',
    async () => {
      const customer = await aFreshCustomer();
      const { redirect_url } = await initiate(customer);
      await completePaymentPage(redirect_url, 'paid');
      const visit = { customer_id: customer.id, ...ADDRESSES };
      const portal = await api('createPortalSession', { body: visit }, 200);
      const terms = { threshold: '5', amount: '20', currency: 'USD' };
      await turnOnAutoTopUp(portal.redirect_url, terms);
      const expectLeft = async (taken: number, wanted: string) => {
        await charged(customer, { amount: taken });
        const left = await eventually(
          async () => String(await balance(customer)),
          (seen) => seen === wanted,
        );
        expect(left, `after a charge of ${taken}`).toBe(wanted);
      };

      // 12.5 - 7.5 is not below the threshold; 5 - 1 is, and causes one payment.
      await expectLeft(7.5, '5');
      await expectLeft(1, '24');
      // 24 - 50 falls below, and 20 are not enough: the next charge causes no payment.
      await expectLeft(50, '-6');
      await expectLeft(1, '-7');
    },
  );
});
