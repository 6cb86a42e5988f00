import {
  aUnitPrice,
  type CheckContext,
  check,
  describe,
  expect,
  uuid,
  type WorldCall,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { DAY_MS, moved } from './shared/times.ts';

const EDGES = ['00:00:00.000', '00:00:00.001', '23:59:59.000', '23:59:59.999'];

const daysFrom = (first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) =>
    moved(`${first}T00:00:00.000Z`, place * DAY_MS).slice(0, 10),
  );

/**
 * Days around the ends of years and of February. The ISO year differs from the calendar year on 1 to 3 January 2021, on 1
 * and 2 January 2022 and on 30 and 31 December 2024.
 */
const TURNS = [
  daysFrom('2020-12-28', 7),
  daysFrom('2021-12-31', 3),
  daysFrom('2024-02-27', 4),
  daysFrom('2024-12-29', 5),
  daysFrom('2025-02-27', 3),
];

/** Every day by itself, from the first day of its turn, and to the last one; then whole years. */
const PERIODS: readonly (readonly [string, string])[] = [
  ...TURNS.flatMap((days) =>
    days.flatMap((day) => [
      [day, day] as const,
      [days[0] as string, day] as const,
      [day, days.at(-1) as string] as const,
    ]),
  ),
  ...['2020', '2021', '2022', '2024', '2025'].map(
    (year) => [`${year}-01-01`, `${year}-12-31`] as const,
  ),
];

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
  return { call, path, vendor_id, used, within };
}

/** All items of a list that is filtered, sorted by one field. */
async function found(call: WorldCall, list: 'listEvents' | 'listTasks', query: object, by: string) {
  const { items } = await call(list, { query: { limit: 1000, ...query } as never });
  return items.map((item: Record<string, string>) => item[by]).sort();
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
    async (t) => {
      const { call, used, within } = await aWorldOfTurns(t);
      const times = (query: object) => found(call, 'listEvents', query, 'occurred_at');
      const at = (some: readonly Used[]) => some.map((one) => one.at);

      for (const [period_from, period_to] of PERIODS)
        expect(await times({ period_from, period_to }), `${period_from} to ${period_to}`).toEqual(
          at(within(period_from, period_to)),
        );
      for (const day of TURNS.flat()) {
        expect(await times({ period_from: day }), `from ${day}`).toEqual(at(within(day, '9999')));
        expect(await times({ period_to: day }), `to ${day}`).toEqual(at(within('0', day)));
      }
      expect(await times({})).toEqual(at(used));
    },
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
      const { call, within } = await aWorldOfTurns(t);
      const subjects = (query: object) => found(call, 'listTasks', query, 'subject');
      const at = (some: readonly Used[]) => some.map((one) => one.at);

      for (const name of ['created', 'last_updated']) {
        const [from, to] = [`${name}_from`, `${name}_to`];
        for (const [first, last] of PERIODS)
          expect(
            await subjects({ [from]: first, [to]: last }),
            `${name} ${first} to ${last}`,
          ).toEqual(at(within(first, last)));
        for (const day of TURNS.flat()) {
          expect(await subjects({ [from]: day }), `${from} ${day}`).toEqual(
            at(within(day, '9999')),
          );
          expect(await subjects({ [to]: day }), `${to} ${day}`).toEqual(at(within('0', day)));
        }
      }
    },
  );

  check(
    'VND-13',
    {
      requirement: ['R-PRF-11', 'R-VND-08'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-904', 'A-903'],
      needs: 'clock.movable',
    },
    "costs and fees of usage at those edges → in the vendor's stats, in the customer's and in the summary for the periods of exactly its own day; a 29 February that does not exist → rejected",
    async (t) => {
      const { call, path, vendor_id, within } = await aWorldOfTurns(t);
      const vendor = { vendorId: vendor_id };

      for (const [period_from, period_to] of PERIODS) {
        const query = { period_from, period_to };
        const some = within(period_from, period_to);
        const costs = some.reduce((sum, { cost }) => sum + cost, 0);
        const stats = await call('getVendorStats', { path: vendor, query });
        const { items, summary } = await call('listCustomerStats', { query });
        const name = `${period_from} to ${period_to}`;
        expect(stats.total_costs, name).toBe(costs);
        expect(summary, name).toMatchObject({ total_costs: costs, gross_revenue: some.length });
        expect(items, name).toMatchObject([{ id: path.customerId, stats: summary }]);
      }
      for (const name of ['period_from', 'period_to'])
        await call('getVendorStats', { path: vendor, query: { [name]: '2025-02-29' } }, [400, 422]);
    },
  );
});
