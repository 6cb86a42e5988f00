import { asking, type Loose, type Mutant, showing } from '../../mutant.ts';
import { onlyThose, sending } from '../bug.ts';
import { refuse } from '../deep.ts';
import { LENGTH_OF_DAY } from '../due-bug.ts';
import { against } from './window.ts';

const PROBLEM = { type: 'about:blank', title: 'Bad Request', status: 400 };

/** The day with the year of its week, as the pattern YYYY formats it, in place of its own year. */
function inWeekYear(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const saturday = new Date(date.getTime() + (6 - date.getUTCDay()) * LENGTH_OF_DAY);
  return `${saturday.getUTCFullYear()}${day.slice(4)}`;
}

const midnightAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + LENGTH_OF_DAY).toISOString();

const total = (rows: readonly Loose[], name: string): number =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0);

/** Stats with the events `gained` and without those `lost`. */
function shifted(stats: Loose, gained: readonly Loose[], lost: readonly Loose[]): Loose {
  if (gained.length + lost.length === 0) return stats;
  const gross_revenue = stats.gross_revenue + total(gained, 'revenue') - total(lost, 'revenue');
  const total_costs = stats.total_costs + total(gained, 'cost') - total(lost, 'cost');
  const net_revenue = gross_revenue - total_costs;
  const margin = gross_revenue === 0 ? 0 : net_revenue / gross_revenue;
  return { ...stats, gross_revenue, total_costs, net_revenue, margin };
}

/** Mistakes at the edge of what is allowed. */
export const boundBugs: readonly Mutant[] = [
  against(
    'GET /events: period_from, period_to (dates, inclusive)',
    'takes the last days of December for those of the next year',
    {
      listEvents: asking(({ query }) => {
        for (const name of ['period_from', 'period_to'])
          if (query[name] !== undefined) query[name] = inWeekYear(query[name]);
      }),
    },
  ),
  against(
    'Conventions: date filters are YYYY-MM-DD; GET /vendors/{vendorId}/stats',
    'rejects the 29th of February',
    {
      getVendorStats: ({ query }, _, run) =>
        [query.period_from, query.period_to].some((day) => day?.endsWith('-02-29'))
          ? { status: 400, body: PROBLEM }
          : run(),
    },
  ),
  against('Cost record: amount (number, required)', 'takes a cost of 0 for one without an amount', {
    submitEvents(call, _, run) {
      for (const [place, { costs }] of call.body.events.entries())
        for (const [index, { amount }] of (costs ?? []).entries())
          if (Number(amount) === 0) refuse(`events[${place}].costs[${index}].amount`);
      return run();
    },
  }),
  against(
    'Cursor pagination metadata: next (string or null)',
    'names a next page after a last page that is full',
    {
      listWebhookEvents: showing(({ items, pagination }) => {
        const last = items.length === pagination.limit ? items.at(-1) : undefined;
        const next = pagination.next ?? (last && Buffer.from(last.id).toString('base64url'));
        return { pagination: { ...pagination, next: next ?? null } };
      }),
    },
  ),
  against(
    'POST /assets/{assetCode}/rates: rate (required, decimal)',
    'drops the exponent of a rate below 0.000001',
    {
      setAssetRate: sending((body) => {
        const [digits, exponent] = String(Number(body.rate)).split('e');
        if (exponent) body.rate = Number(digits);
      }),
    },
  ),
  against(
    'Limits: date filters are inclusive on both ends; GET /tasks: last_updated_to',
    'ends a day at 23:59:59, without its last second',
    {
      listTasks: onlyThose(
        ({ last_updated_at }, { query: { last_updated_to: to } }) =>
          to === undefined ||
          last_updated_at.slice(0, 10) < to ||
          last_updated_at <= `${to}T23:59:59.000Z`,
      ),
    },
  ),
  against(
    'Conventions, paged list response: items, total_count, limit, offset; GET /accounts',
    'shows the last page again if the offset equals the total count',
    {
      listConnectedAccounts(call, _, run) {
        const { limit = 100, offset = 0 } = call.query;
        const reply = run();
        const { total_count } = reply.body;
        if (total_count === 0 || offset < total_count) return reply;
        const last = Math.floor((total_count - 1) / limit) * limit;
        return run({ ...call, query: { ...call.query, offset: last } });
      },
    },
  ),
  against(
    'GET /customers/stats: period_from, period_to (dates, inclusive)',
    'counts an event of exactly midnight on the day before',
    {
      listCustomerStats: showing(({ summary, items, period_from, period_to }, _, context) => {
        const events: readonly Loose[] = context.tables.events.list('owner', context.owner);
        const at = (moment: string) => events.filter(({ occurred_at }) => occurred_at === moment);
        const [gained, lost] = [at(midnightAfter(period_to)), at(`${period_from}T00:00:00.000Z`)];
        const of = (id: string) => (event: Loose) => event.customer_id === id;
        return {
          summary: shifted(summary, gained, lost),
          items: items.map((item: Loose) => ({
            ...item,
            stats: shifted(item.stats, gained.filter(of(item.id)), lost.filter(of(item.id))),
          })),
        };
      }),
    },
  ),
];
