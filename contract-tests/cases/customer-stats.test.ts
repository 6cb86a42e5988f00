import {
  aCustomer,
  aFreshCustomer,
  aFreshProduct,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aVendor,
  check,
  describe,
  expect,
  type OwnObject,
  Rational,
  today,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsEntryOf } from './shared/customer-stats.ts';

const statsIn = async (customer: OwnObject, query: object) =>
  (await statsEntryOf(customer, query))?.stats;

describe('listCustomerStats', () => {
  check(
    'CUS-13',
    { requirement: ['R-CONV-03', 'R-PRF-04', 'R-PRF-09', 'R-PRF-10'], level: 'MUST', effect: 'E0' },
    'stats list echoes period_from/to, has summary and paging fields',
    async () => {
      const period = { period_from: today(-1), period_to: today() };
      const page = await api('listCustomerStats', { query: { ...period, limit: 1 } }, 200);

      expect(page).toMatchObject({ ...period, limit: 1, offset: 0 });
      expect(page.summary).toMatchObject({ currency: expect.any(String) });
      expect(page.items.length).toBeLessThanOrEqual(1);
      for (const item of page.items) expect(item.stats.gross_revenue).toBeTypeOf('number');
    },
  );

  check(
    'CUS-14',
    { requirement: ['R-LIM-10', 'R-PRF-11'], level: 'MUST', effect: 'E3' },
    'event dated exactly period_to is included; next day excluded (inclusive)',
    async () => {
      const { product } = await aSubscriber();
      const customer = await aFreshCustomer({
        subscriptions: [{ products: [{ id: product.id }], starts_at: `${today(-3)}T00:00:00Z` }],
      } as never);
      const at = (day: string) => ({ occurred_at: `${day}T00:00:00Z` });
      await aUsageEvent(customer, product.eventType, at(today(-1)));
      await aUsageEvent(customer, product.eventType, at(today()));
      const gross = async (from: number, to: number) =>
        (await statsIn(customer, { period_from: today(from), period_to: today(to) }))
          ?.gross_revenue;

      // One event costs 0.25.
      expect(await gross(-2, -1)).toBe(0.25);
      expect(await gross(-1, 0)).toBe(0.5);
      expect(await gross(0, 0)).toBe(0.25);
    },
  );

  check(
    'CUS-21',
    { requirement: 'R-PRF-16', level: 'ASSUMED', effect: 'E0', assumes: 'A-903' },
    'stats list without a period → from the first day of this month to today',
    async () => {
      const page = await api('listCustomerStats', { query: { limit: 1 } }, 200);

      expect([page.period_from, page.period_to]).toEqual([`${today().slice(0, 7)}-01`, today()]);
    },
  );

  check(
    'CUS-22',
    { requirement: 'R-PRF-17', level: 'ASSUMED', effect: 'E3', assumes: 'A-903' },
    'stats items by gross revenue descending; the summary does not change with the page',
    async () => {
      const product = await aFreshProduct();
      const subscriptions = [{ products: [{ id: product.id }] }];
      const aPayer = () => aFreshCustomer({ subscriptions } as never);
      const [small, large] = [await aPayer(), await aPayer()];
      for (const payer of [small, large, large]) await aUsageEvent(payer, product.eventType);
      const all = await api('listCustomerStats', { query: { limit: 1000 } }, 200);
      const one = await api('listCustomerStats', { query: { limit: 1, offset: 1 } }, 200);
      const gross = all.items.map(({ stats }) => stats.gross_revenue);

      const placeOf = ({ id }: OwnObject) => all.items.findIndex((item) => item.id === id);

      expect(gross).toEqual([...gross].sort((left, right) => right - left));
      expect(placeOf(large)).toBeGreaterThanOrEqual(0);
      expect(placeOf(large)).toBeLessThan(placeOf(small));
      expect(one.summary).toEqual(all.summary);
    },
  );
});

describe('getCustomerStats', () => {
  check(
    'CUS-15',
    { requirement: ['R-PRF-01', 'R-PRF-07', 'R-PRF-08', 'R-PRF-15'], level: 'MUST', effect: 'E0' },
    'customer stats has all five fields; unknown id → 404',
    async () => {
      const { id } = await aCustomer();
      const stats = await api('getCustomerStats', { path: { customerId: id } }, 200);

      for (const field of ['gross_revenue', 'total_costs', 'net_revenue', 'margin'] as const)
        expect(stats[field]).toBeTypeOf('number');
      expect(stats.currency).toMatch(/^[A-Z]{3}$/);
      await api('getCustomerStats', { path: { customerId: unknownId('cust') } }, 404);
    },
  );

  check(
    'CUS-16',
    {
      requirement: ['R-PRF-02', 'R-PRF-03', 'R-PRF-12', 'R-PRF-13'],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'net = gross − costs; margin = net ÷ gross when gross ≠ 0 (names); the margin at zero revenue is recorded',
    async (t) => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const vendor = await aVendor();
      const empty = await api('getCustomerStats', { path }, 200);
      t.observe('margin without revenue', empty.margin);

      const product = await aFreshProduct();
      await api('createSubscription', { path, body: { products: [{ id: product.id }] } }, 201);
      const cost = { id: uuid(), vendor_id: vendor.id, amount: 0.1 };
      const event = usageEvent(product.eventType, { costs: [cost] });
      await api(
        'submitEvents',
        { body: { customer_id: customer.id, events: [event] as never } },
        204,
      );
      const stats = await api('getCustomerStats', { path }, 200);
      const net = amount(stats, 'gross_revenue').minus(amount(stats, 'total_costs'));

      expect(amount(stats, 'net_revenue').compare(net)).toBe(0);
      expect(String(amount(stats, 'total_costs'))).toBe('0.1');
      const margin = net.over(amount(stats, 'gross_revenue'));
      const error = amount(stats, 'margin').minus(margin);
      expect(error.times(error).compare(Rational.of('1e-20'))).toBeLessThanOrEqual(0);
    },
  );

  check(
    'CUS-23',
    { requirement: 'R-PRF-18', level: 'ASSUMED', effect: 'E4', assumes: 'A-903' },
    "charge → the customer's gross_revenue rises by it",
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const body = { transaction_id: uuid(), asset: 'USD', amount: 1.5 };
      await api('chargeWallet', { path, body }, 201);

      await assuming('A-903', async () => {
        expect(await api('getCustomerStats', { path }, 200)).toMatchObject({ gross_revenue: 1.5 });
      });
    },
  );
});
