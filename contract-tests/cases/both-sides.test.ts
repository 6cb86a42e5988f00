import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  amount,
  anAdjustment,
  api,
  assuming,
  aVendor,
  call,
  check,
  describe,
  expect,
  Rational,
  restOn,
  runMark,
  today,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsOf } from './shared/customer-stats.ts';
import { listed, stored, submit, taskOf } from './shared/events.ts';
import { aHistory } from './shared/history.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { vendorStats } from './shared/vendors.ts';
import { balance, charge, grantsOf } from './shared/wallets.ts';

/** The sum of a numeric field over parts of responses. */
function sum<T extends object>(parts: readonly T[], name: keyof T & string): Rational {
  return parts
    .map((part) => amount(part, name))
    .reduce((all, one) => all.plus(one), Rational.of(0));
}

const byId = <T extends { readonly id: string }>(parts: readonly T[]) =>
  new Map(parts.map((part) => [part.id, part]));

describe('numbers that two operations report', () => {
  check(
    'EVT-56',
    {
      requirement: ['R-EVT-17', 'R-EVT-18', 'R-EVT-19', 'R-EVT-29'],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'fees of events → total_fees, has_fees, fee_currency and stats in the list, and the account of each asset, agree',
    async () => {
      const { customer, code, ids } = await aHistory();
      const events = await Promise.all(ids.map(stored));
      const items = await listed({ customer_id: customer.id });
      const fees = events.flatMap((event) => event.fees);
      const inAsset = (asset: string) => fees.filter(({ currency }) => currency === asset);

      expect(events.map((event) => event.fees.length > 0)).toEqual([true, true, true, true, false]);
      const isInAsset = inAsset(code).length > 0;
      await restOn('A-806', isInAsset, 'a fee is in another currency than the asset of its price');

      // 2 × (0.7 + 10 × 0.003) + 0.7, and one of 3 units.
      expect(String(sum(inAsset('USD'), 'amount'))).toBe('2.16');
      expect(String(sum(inAsset(code), 'amount'))).toBe('3');
      expect(String(await balance(customer))).toBe('-2.16');
      expect(String(await balance(customer, `default:${code}`))).toBe('-3');
      for (const event of events) {
        const item = items.find(({ id }) => id === event.id);
        expect(item?.has_fees).toBe(event.fees.length > 0);
        expect(item?.stats).toEqual(event.stats);
        if (!item || event.fees.length === 0) continue;
        expect(String(amount(item, 'total_fees'))).toBe(String(sum(event.fees, 'amount')));
        expect(item.fee_currency).toBe(event.fees[0]?.currency);
      }
    },
  );

  check(
    'CUS-29',
    { requirement: ['R-PRF-05', 'R-PRF-11', 'R-PRF-12'], level: 'IMPLIED', effect: 'E3' },
    'stats of a customer, its entry in the stats list over all days and day by day, its events and its tasks → the same costs and revenue',
    async () => {
      const { customer, ids, subjects } = await aHistory();
      const whole = await statsOf(customer);
      const events = await Promise.all(ids.map(stored));
      const of = events.map(({ stats }) => stats as NonNullable<typeof stats>);
      const inDays = async (from: number, to: number) => {
        const query = { period_from: today(from), period_to: today(to), limit: 1000 };
        const { items } = await api('listCustomerStats', { query }, 200);
        return items.find(({ id }) => id === customer.id)?.stats as typeof whole;
      };
      const days = [await inDays(-2, -2), await inDays(-1, -1), await inDays(0, 0)];

      // 0.01 + 0.02, 0.04 + 0.08, and 0.16 + 0.32 + 0.64.
      expect(days.map((day) => day.total_costs)).toEqual([0.03, 0.12, 1.12]);
      expect(String(amount(whole, 'total_costs'))).toBe('1.27');
      expect(await inDays(-2, 0)).toEqual(whole);
      for (const name of ['total_costs', 'gross_revenue', 'net_revenue'] as const) {
        expect(String(sum(of, name)), name).toBe(String(amount(whole, name)));
        expect(String(sum(days, name)), name).toBe(String(amount(whole, name)));
      }
      const tasks = await api('listTasks', { query: { customer_id: customer.id } }, 200);
      await assuming('A-1001', async () => {
        // The cost of 0.64 has no subject, so it belongs to no task.
        expect(
          String(
            sum(
              tasks.items.map(({ stats }) => stats),
              'total_costs',
            ),
          ),
        ).toBe('0.63');
        expect(tasks.items.map((task) => task.event_count)).toEqual([2, 2]);
      });
      // Debt counts as 0.5 USD per unit: 2.16 + 3 × 0.5.
      await assuming('A-902', async () => expect(whole.gross_revenue).toBe(3.66));
      expect(new Set(tasks.items.map((task) => task.subject))).toEqual(new Set(subjects));
    },
  );

  check(
    'VND-08',
    {
      requirement: ['R-PRF-12', 'R-VND-08', 'R-VND-09'],
      level: 'IMPLIED',
      effect: 'E3',
      assumes: 'A-904',
    },
    'stats of two vendors by period, by category and by both → the costs that the events and the tasks show for each',
    async () => {
      const { customer, vendors, subjects, ids } = await aHistory();
      const total = async (vendor: number, from: number, to: number, category?: string) => {
        const days = { period_from: today(from), period_to: today(to) };
        const query = { ...days, ...(category && { category }) };
        return (await vendorStats(vendors[vendor] as string, query)).total_costs;
      };
      const row = async (vendor: number, category?: string) => [
        await total(vendor, -2, -2, category),
        await total(vendor, -1, -1, category),
        await total(vendor, 0, 0, category),
        await total(vendor, -2, -1, category),
        await total(vendor, -1, 0, category),
        await total(vendor, -2, 0, category),
      ];

      expect(await row(0)).toEqual([0.01, 0.04, 0.48, 0.05, 0.52, 0.53]);
      expect(await row(1)).toEqual([0.02, 0.08, 0.64, 0.1, 0.72, 0.74]);
      expect(await row(0, 'compute')).toEqual([0.01, 0, 0.48, 0.01, 0.48, 0.49]);
      expect(await row(0, 'storage')).toEqual([0, 0.04, 0, 0.04, 0.04, 0.04]);
      expect(await row(1, 'compute')).toEqual([0.02, 0, 0.64, 0.02, 0.64, 0.66]);
      expect(await row(1, 'comput')).toEqual([0, 0, 0, 0, 0, 0]);
      const costs = (await Promise.all(ids.map(stored))).flatMap((event) => event.costs ?? []);
      const ofFirst = costs.filter(({ vendor_id }) => vendor_id === vendors[0]);
      expect(String(sum(ofFirst, 'amount'))).toBe('0.53');
      const task = await taskOf(customer, subjects[0]);
      expect(new Map(task.vendors.map((each) => [each.vendor.id, each.total_costs]))).toEqual(
        new Map([
          [vendors[0], 0.05],
          [vendors[1], 0.02],
        ]),
      );
    },
  );

  check(
    'TSK-12',
    { requirement: ['R-TSK-05', 'R-TSK-06', 'R-TSK-07'], level: 'IMPLIED', effect: 'E3' },
    'a task in the list and by id, its events and each event by id → the same',
    async () => {
      const { customer, subjects, ids } = await aHistory();
      const { items } = await api('listTasks', { query: { customer_id: customer.id } }, 200);
      for (const [index, subject] of subjects.entries()) {
        const { events, vendors, ...summary } = await taskOf(customer, subject);
        const own = await Promise.all(ids.slice(2 * index, 2 * index + 2).map(stored));

        expect(items.find(({ id }) => id === summary.id)).toEqual(summary);
        expect(byId(events)).toEqual(byId(own));
        expect(String(sum(vendors, 'total_costs'))).toBe(
          String(amount(summary.stats, 'total_costs')),
        );
      }
    },
  );

  check(
    'WAL-43',
    { requirement: ['R-WAL-03', 'R-WAL-05', 'R-WAL-06'], level: 'IMPLIED', effect: 'E3' },
    'what is left of the grants of each account = available of the account, by id and in the wallet = the sum of its transactions',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const { code } = await aFreshAsset({ precision: 2 });
      const made: string[] = [];
      for (const [asset, sums] of [
        ['USD', [5, 0.25, -1.5]],
        [code, [7, 0.01, -2]],
      ] as const)
        for (const one of sums)
          made.push(
            await anAdjustment(customer, {
              asset,
              amount: one,
              reason: one > 0 ? 'external_topup' : 'external_refund',
            }),
          );
      const { accounts } = await api('getWallet', { path }, 200);

      expect(accounts.map(({ id, available }) => [id, available]).sort()).toEqual(
        [
          [`default:${code}`, 5.01],
          ['default:USD', 3.75],
        ].sort(),
      );
      for (const account of accounts) {
        const of = { ...path, accountId: account.id };
        expect(await api('getWalletAccount', { path: of }, 200)).toMatchObject(account);
        await assuming('A-704', async () => {
          const { items } = await api('listGrants', { path: of }, 200);
          expect(String(sum(items, 'available'))).toBe(String(amount(account, 'available')));
        });
      }
      await assuming('A-709', async () => {
        const moved = await Promise.all(
          made.map((transactionId) =>
            api('getWalletTransaction', { path: { ...path, transactionId } }, 200),
          ),
        );
        expect(moved.map((one) => one.amount)).toEqual([5, 0.25, -1.5, 7, 0.01, -2]);
        expect(new Set(moved.map((one) => one.account_id))).toEqual(
          new Set(['default:USD', `default:${code}`]),
        );
      });
    },
  );
});

describe('movements and events sent three times', () => {
  check(
    'WAL-45',
    { requirement: ['R-EVT-07', 'R-WAL-34', 'R-WAL-35'], level: 'MUST', effect: 'E4' },
    'credit, charge, usage and a cost, each sent three times → one transaction, one grant, one fee, one cost, each counted once',
    async () => {
      const product = await aFreshProduct();
      const customer = await aFreshCustomer();
      await subscribe(customer, to(product));
      const path = { customerId: customer.id };
      const { id: vendor_id } = await aVendor();
      const event = usageEvent(product.eventType, {
        costs: [{ id: uuid(), vendor_id, amount: 0.1 }],
      });
      const taken = charge({ amount: 2 });
      const transaction_id = await anAdjustment(customer, { amount: 10 });
      const given = { transaction_id, asset: 'USD', amount: 10, reason: 'external_topup' } as const;
      const metadata = runMark();
      for (let count = 0; count < 3; count += 1) {
        await call('adjustWallet', { path, body: { ...given, metadata } }, [200, 201]);
        await call('chargeWallet', { path, body: taken }, [200, 201]);
        await submit(customer, event);
      }
      const stats = await statsOf(customer);
      const grants = await grantsOf(customer);

      // 10 - 2 - 0.25.
      expect(String(await balance(customer))).toBe('7.75');
      expect(grants.map(({ available }) => available)).toEqual([7.75]);
      expect(stats.total_costs).toBe(0.1);
      await assuming('A-903', async () => expect(stats.gross_revenue).toBe(2.25));
    },
  );
});
