import { aUnitPrice, type CheckContext, check, expect, uuid } from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';

const EDGES = ['00:00:00.000', '00:00:00.001', '23:59:59.000', '23:59:59.999'];

/**
 * Days around the ends of years and of February. The ISO year differs from the calendar year on 1 to 3 January 2021 and
 * on 30 and 31 December 2024.
 */
const TURNS = [
  ['2020-12-30', '2020-12-31', '2021-01-01', '2021-01-02', '2021-01-03'],
  ['2024-02-28', '2024-02-29', '2024-03-01'],
  ['2024-12-30', '2024-12-31', '2025-01-01'],
  ['2025-02-28', '2025-03-01'],
];

/** Days on either side of a turn, and whole years. */
const PERIODS: readonly (readonly [string, string])[] = [
  ...['2020-12-31', '2021-01-01', '2021-01-03', '2024-02-29', '2024-12-31', '2025-02-28'].map(
    (day) => [day, day] as const,
  ),
  ['2024-12-30', '2024-12-31'],
  ['2024-01-01', '2024-12-31'],
];

/** Lists that filter by days, what their filters begin with, and the field that has the time of the usage. */
const LISTS = [
  ['listEvents', 'period', 'occurred_at'],
  ['listTasks', 'created', 'subject'],
  ['listTasks', 'last_updated', 'subject'],
] as const;

interface Used {
  readonly id: string;
  readonly at: string;
  readonly cost: number;
}

/** A world with usage at the edges of each day, each with its own subject, a fee of 1 and a cost. */
async function aWorldOfTurns(t: CheckContext) {
  const { call, path, until, subscribe } = await aCustomerWorld(t, '2020-12-01T12:00:00.000Z');
  await subscribe([aUnitPrice('call', 1)]);
  const { id: vendor_id } = await call('createVendor', { body: { name: 'Vendor' } });
  const used: Used[] = [];
  for (const days of TURNS) {
    await until(`${days.at(-1)}T23:59:59.999Z`);
    const first = used.length;
    for (const at of days.flatMap((day) => EDGES.map((time) => `${day}T${time}Z`)))
      used.push({ id: uuid(), at, cost: (used.length + 1) ** 2 });
    const events = used.slice(first).map(({ id, at, cost }) => ({
      ...{ id, event_type: 'call', occurred_at: at, subject: at, data: {} },
      costs: [{ id: uuid(), vendor_id, amount: cost }],
    }));
    await call('submitEvents', { body: { customer_id: path.customerId, events } });
  }
  const within = (from: string, to: string) =>
    used.filter(({ at }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to);
  return { call, path, vendor_id, within };
}

check(
  'EVT-87',
  {
    requirement: 'R-EVT-42 R-EVT-54 R-PRF-11 R-PRF-16 R-TSK-12 R-VND-08',
    effect: 'E4',
    partly: 'A-806 A-903 A-904 A-1001',
    needs: 'clock.movable',
  },
  "usage at both edges of the last and first days of years and of February, in years with and without a 29th and an ISO week across the turn → in the list of events, the tasks by creation and last update, the vendor's stats, the customer's and the summary for the periods of exactly its own day, and of the month so far by default; a 29 February that does not exist → rejected",
  async (t) => {
    const { call, path, vendor_id, within } = await aWorldOfTurns(t);
    const vendor = { vendorId: vendor_id };
    const sums = (some: readonly Used[]) => ({
      total_costs: some.reduce((sum, { cost }) => sum + cost, 0),
      gross_revenue: some.length,
    });
    for (const [first, last] of PERIODS) {
      const name = `${first} to ${last}`;
      const wanted = within(first, last);
      for (const [list, by, field] of LISTS) {
        const query = { limit: 1000, [`${by}_from`]: first, [`${by}_to`]: last };
        const { items } = await call(list, { query: query as never });
        const times = items.map((item: Readonly<Record<string, string>>) => item[field]).sort();
        expect(times, `${list} by ${by}, ${name}`).toEqual(wanted.map(({ at }) => at));
      }
      const query = { period_from: first, period_to: last };
      const stats = await call('getVendorStats', { path: vendor, query });
      const { items, summary } = await call('listCustomerStats', { query });
      expect(stats.total_costs, name).toBe(sums(wanted).total_costs);
      expect(summary, name).toMatchObject(sums(wanted));
      expect(items, name).toMatchObject([{ id: path.customerId, stats: summary }]);
    }
    expect(await call('listCustomerStats', {})).toMatchObject({
      ...{ period_from: '2025-03-01', period_to: '2025-03-01' },
      summary: sums(within('2025-03-01', '2025-03-01')),
    });
    for (const name of ['period_from', 'period_to'])
      await call('getVendorStats', { path: vendor, query: { [name]: '2025-02-29' } }, [400, 422]);
  },
);
