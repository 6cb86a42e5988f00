import { aUnitPrice, type CheckContext, check, describe, expect, uuid } from '../kit/index.ts';
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

const DAYS = TURNS.flat();

/** Every day by itself, the first two days of each turn, and whole years. */
const PERIODS: readonly (readonly [string, string])[] = [
  ...DAYS.map((day) => [day, day] as const),
  ...TURNS.map(([first = '', second = '']) => [first, second] as const),
  ...['2021', '2024'].map((year) => [`${year}-01-01`, `${year}-12-31`] as const),
];

/** Days as the only bound of a period. */
const BOUNDS = ['2021-01-01', '2024-02-29'];

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

type World = Awaited<ReturnType<typeof aWorldOfTurns>>;

/**
 * Expects that a list filtered by days finds exactly the usage of those days.
 *
 * @param name what precedes `_from` and `_to` in the names of the filters
 * @param field the field of an item that has the time of its usage
 */
async function expectByDay(
  { call, within }: World,
  list: 'listEvents' | 'listTasks',
  name: string,
  field: string,
): Promise<void> {
  const [from, to] = [`${name}_from`, `${name}_to`];
  for (const [query, first, last] of [
    ...PERIODS.map(([first, last]) => [{ [from]: first, [to]: last }, first, last] as const),
    ...BOUNDS.map((day) => [{ [from]: day }, day, '9999'] as const),
    ...BOUNDS.map((day) => [{ [to]: day }, '0', day] as const),
  ]) {
    const { items } = await call(list, { query: { limit: 1000, ...query } as never });
    const times = items.map((item: Readonly<Record<string, string>>) => item[field]).sort();
    expect(times, `${list} ${JSON.stringify(query)}`).toEqual(
      within(first, last).map(({ at }) => at),
    );
  }
}

describe('the ends of days, years and February', () => {
  check(
    'EVT-87',
    {
      requirement: ['R-EVT-42', 'R-EVT-54'],
      level: 'MUST',
      effect: 'E4',
      assumes: 'A-806',
      needs: 'clock.movable',
    },
    'usage at both edges of the last and first days of years and of February, in years with and without a 29th and an ISO week across the turn → listed in the periods of exactly its own day',
    async (t) => expectByDay(await aWorldOfTurns(t), 'listEvents', 'period', 'occurred_at'),
  );

  check(
    'TSK-16',
    {
      requirement: 'R-TSK-12',
      level: 'MUST',
      effect: 'E4',
      assumes: 'A-1001',
      needs: 'clock.movable',
    },
    'tasks of usage at those edges → found by created and last_updated, from and to, on exactly their own day',
    async (t) => {
      const world = await aWorldOfTurns(t);
      for (const name of ['created', 'last_updated'])
        await expectByDay(world, 'listTasks', name, 'subject');
    },
  );

  check(
    'VND-13',
    {
      requirement: ['R-PRF-11', 'R-PRF-16', 'R-VND-08'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-904', 'A-903'],
      needs: 'clock.movable',
    },
    "costs and fees of usage at those edges → in the vendor's stats, in the customer's and in the summary for the periods of exactly its own day, and of the month so far by default; a 29 February that does not exist → rejected",
    async (t) => {
      const { call, path, vendor_id, within } = await aWorldOfTurns(t);
      const vendor = { vendorId: vendor_id };
      const sums = (some: readonly Used[]) => ({
        total_costs: some.reduce((sum, { cost }) => sum + cost, 0),
        gross_revenue: some.length,
      });

      for (const [period_from, period_to] of PERIODS) {
        const query = { period_from, period_to };
        const wanted = sums(within(period_from, period_to));
        const stats = await call('getVendorStats', { path: vendor, query });
        const { items, summary } = await call('listCustomerStats', { query });
        const name = `${period_from} to ${period_to}`;
        expect(stats.total_costs, name).toBe(wanted.total_costs);
        expect(summary, name).toMatchObject(wanted);
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
});
