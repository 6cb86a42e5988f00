import {
  aCustomer,
  aFreshAccount,
  aFreshCustomer,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aVendor,
  call,
  check,
  expect,
  type OwnObject,
  Rational,
  runMark,
  today,
  useUp,
  uuid,
} from '../kit/index.ts';
import { statsEntryOf, statsOf } from './shared/customer-stats.ts';
import { taskOf } from './shared/events.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { charge, charged } from './shared/wallets.ts';

const period = () => ({ period_from: today(-1), period_to: today() });

check(
  'CUS-13',
  {
    requirement:
      'R-CONV-03 R-PRF-01 R-PRF-04 R-PRF-07 R-PRF-08 R-PRF-09 R-PRF-10 R-PRF-15 R-PRF-16',
    level: 'MUST',
    effect: 'E0',
    assumes: 'A-903',
  },
  'stats list echoes period_from/to, by default from the first day of this month to today, has summary and paging fields; summary, items and the stats of a customer have all five fields',
  async () => {
    const { id } = await aCustomer();
    const asked = period();
    const page = await api('listCustomerStats', { query: { ...asked, limit: 1 } }, 200);

    expect(page).toMatchObject({ ...asked, limit: 1, offset: 0 });
    expect(page.items.length).toBeLessThanOrEqual(1);
    for (const stats of [
      page.summary,
      ...page.items.map((item) => item.stats),
      await statsOf({ id }),
    ]) {
      for (const field of ['gross_revenue', 'total_costs', 'net_revenue', 'margin'] as const)
        expect(stats[field], field).toBeTypeOf('number');
      expect(stats.currency, 'currency').toMatch(/^[A-Z]{3}$/);
    }
    await assuming('A-903', async () => {
      const { period_from, period_to } = await api('listCustomerStats', {}, 200);
      expect([period_from, period_to]).toEqual([`${today().slice(0, 7)}-01`, today()]);
    });
  },
);

check(
  'CUS-14',
  { requirement: 'R-LIM-10 R-PRF-11', level: 'MUST', effect: 'E3' },
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
      (await statsEntryOf(customer, { period_from: today(from), period_to: today(to) }))?.stats
        .gross_revenue;

    // One event costs 0.25.
    expect(await gross(-2, -1)).toBe(0.25);
    expect(await gross(-1, 0)).toBe(0.5);
    expect(await gross(0, 0)).toBe(0.25);
  },
);

check(
  'CUS-51',
  {
    requirement: 'R-PRF-17 R-PRF-18 R-TSK-07',
    level: 'ASSUMED',
    effect: 'E4',
    assumes: 'A-903 A-305',
  },
  'charges by the subjects of tasks, with costs that reverse the order of net revenue → no revenue of the tasks; items by gross revenue as a number, descending, equal ones newest first; the summary does not change with the page',
  async () => {
    const vendor = await aVendor();
    const made: string[] = [];
    for (const [gross, costs] of [
      [3, 0],
      [10, 8],
      [9, 0],
      [9, 0],
      [100, 100],
    ] as const) {
      const customer = await aFreshCustomer();
      const cost = { id: uuid(), vendor_id: vendor.id, amount: costs };
      const { subject } = await aUsageEvent(customer, 'contract.cost', { costs: [cost] });
      await charged(customer, { amount: gross, subject });
      expect(await statsOf(customer), 'after a charge').toMatchObject({ gross_revenue: gross });
      const { stats } = await taskOf(customer, subject);
      expect(stats.gross_revenue, 'revenue of the task, which is of its events').toBe(0);
      made.push(customer.id);
    }
    const page = (query: object) =>
      api('listCustomerStats', { query: { ...period(), ...query } }, 200);
    const { items, summary } = await page({ limit: 1000 });
    const own = items.filter(({ id }) => made.includes(id));
    const [low, middle, early, late, high] = made;

    expect(own.map(({ id, stats }) => [id, stats.gross_revenue, stats.net_revenue])).toEqual([
      [high, 100, 0],
      [middle, 10, 2],
      [late, 9, 9],
      [early, 9, 9],
      [low, 3, 3],
    ]);
    const gross = items.map(({ stats }) => stats.gross_revenue);
    expect(gross).toEqual([...gross].sort((left, right) => right - left));
    expect((await page({ limit: 1, offset: 1 })).summary).toEqual(summary);
  },
);

check(
  'CUS-52',
  { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E4', assumes: 'A-104' },
  "revenue of a connected account's customer → in the account's summary and items, not in the platform's",
  async () => {
    const actingFor = (await aFreshAccount()).id;
    const own = await aFreshCustomer();
    const read = async (caller: object) => {
      const query = { ...period(), limit: 1000 };
      return (await call('listCustomerStats', { query, ...caller }, [200])).body;
    };
    const before = await read({});
    const body = { name: 'Contract end user', metadata: runMark() };
    const made = await useUp('customer', () => call('createCustomer', { body, actingFor }, [201]));
    const path = { customerId: made.body.id };
    await call('chargeWallet', { path, body: charge({ amount: 8 }), actingFor }, [201]);
    const beside = await read({});
    const connected = await read({ actingFor });
    await charged(own, { amount: 2 });

    expect([beside.summary, beside.total_count]).toEqual([before.summary, before.total_count]);
    expect(connected).toMatchObject({ total_count: 1, summary: { gross_revenue: 8 } });
    expect(connected.items.map(({ id }: OwnObject) => id)).toEqual([path.customerId]);
    expect((await read({ actingFor })).summary).toEqual(connected.summary);
    const rise = amount((await read({})).summary, 'gross_revenue').minus(
      amount(before.summary, 'gross_revenue'),
    );
    expect(String(rise)).toBe('2');
  },
);

check(
  'CUS-16',
  { requirement: 'R-PRF-02 R-PRF-03 R-PRF-12 R-PRF-13', level: 'IMPLIED', effect: 'E3' },
  'net = gross − costs; margin = net ÷ gross when gross ≠ 0 (names); the margin at zero revenue is recorded',
  async (t) => {
    const { product } = await aSubscriber();
    const customer = await aFreshCustomer();
    const vendor = await aVendor();
    t.observe('margin without revenue', (await statsOf(customer)).margin);
    await subscribe(customer, to(product));
    const costs = [{ id: uuid(), vendor_id: vendor.id, amount: 0.1 }];
    await aUsageEvent(customer, product.eventType, { costs });
    const stats = await statsOf(customer);
    const net = amount(stats, 'gross_revenue').minus(amount(stats, 'total_costs'));

    expect(String(amount(stats, 'net_revenue')), 'net_revenue').toBe(String(net));
    expect(String(amount(stats, 'total_costs')), 'total_costs').toBe('0.1');
    const error = amount(stats, 'margin').minus(net.over(amount(stats, 'gross_revenue')));
    expect(error.times(error).compare(Rational.of('1e-20')), 'margin').toBeLessThanOrEqual(0);
  },
);
