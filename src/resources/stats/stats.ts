import { compare, type Decimal, decimal, sumText, ZERO } from '../../domain/decimal.ts';
import type { Ranking, RankingIndex, Sums } from '../../store/indexes/row-index.ts';
import type { RowRankings } from '../../store/indexes/row-standings.ts';
import { placesFrom } from '../../store/indexes/sorted-rows.ts';
import { dayAmounts } from '../../store/query/facets.ts';
import type { CustomerRow, TotalsRow, VendorDayRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer, newestWithout } from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, type PageQuery } from '../paging.ts';
import { notFound } from '../problems.ts';
import { rowsBetween, statsPeriod } from '../revenue/period.ts';
import { presentStats } from '../revenue/present-stats.ts';
import { findVendor } from '../vendors/vendors.ts';

export const getCustomerStats: Handler<'getCustomerStats'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const { revenue = '0', cost = '0' } = context.tables.totals.get(customer.id) ?? {};
  return { status: 200, body: presentStats(context.settings, decimal(revenue), decimal(cost)) };
};

export const listCustomerStats: Handler<'listCustomerStats'> = ({ query }, context) => {
  const { tables, owner } = context;
  const { from, to } = statsPeriod(query, context.now);
  const index = (): RankingIndex<TotalsRow> => {
    const customerOf = tables.customers.lookup();
    return {
      key: ({ of, day }) =>
        day && day >= from && day <= to && customerOf(of)?.owner === owner ? of : undefined,
      amounts: dayAmounts,
      compare: byRevenue(customerOf),
    };
  };
  const name = `by revenue of ${owner} from ${from} to ${to}`;
  return tables.daily_totals.onDemand({ name, index }, (standings) => ({
    status: 200 as const,
    body: {
      summary: presentSums(context, standings.total),
      period_from: from,
      period_to: to,
      ...rankCustomers(context, standings, query),
    },
  }));
};

/** Highest revenue first, then newest customer. */
const byRevenue =
  (customerOf: (id: string) => CustomerRow | undefined): RankingIndex<TotalsRow>['compare'] =>
  (left, right) =>
    compare(revenueOf(right), revenueOf(left)) ||
    seqOf(customerOf(right.key)) - seqOf(customerOf(left.key));

const revenueOf = ({ sums }: Ranking): Decimal => sums.get('revenue') ?? ZERO;
const seqOf = (customer: CustomerRow | undefined): number => customer?.seq ?? 0;

/** A page of customers in that order. */
function rankCustomers(
  context: Context,
  standings: RowRankings<TotalsRow>,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
) {
  const { tables, owner } = context;
  const { order } = standings;
  const all = tables.customers.list('owner', owner);
  const gained = order.countWhile((standing) => compare(revenueOf(standing), ZERO) > 0);
  const left = offset + limit - gained;
  const others = [
    ...placesFrom(order, gained, left),
    ...newestWithout(all, standings.all(), left).map(({ id }) => ({ key: id, sums: NO_SUMS })),
  ].sort(byRevenue((id) => tables.customers.get(id)));
  const page = [
    ...placesFrom(order, offset, Math.min(limit, gained - offset)),
    ...others.slice(Math.max(0, offset - gained), Math.max(0, left)),
  ];
  const items = page.map(({ key, sums }) => ({
    ...presentName(tables.customers.get(key) as CustomerRow),
    stats: presentSums(context, sums),
  }));
  return { items, total_count: all.length, limit, offset };
}

const NO_SUMS: Sums = new Map();

const presentSums = ({ settings }: Context, sums: Sums) =>
  presentStats(settings, sums.get('revenue') ?? ZERO, sums.get('cost') ?? ZERO);

export const getVendorStats: Handler<'getVendorStats'> = ({ path, query }, context) => {
  const vendor = findVendor(context, path.vendorId) ?? notFound();
  const period = statsPeriod(query, context.now);
  const days = rowsBetween(context.tables.vendor_days.list('vendor', vendor.id), period);
  const wanted = days.filter(
    (day) => query.category === undefined || categoryOf(day) === query.category,
  );
  const names = [...new Set(wanted.map(categoryOf))].sort();
  const categories = names.map((category) => {
    const ofCategory = wanted.filter((day) => categoryOf(day) === category);
    return { category, cost: costOf(ofCategory) };
  });
  return { status: 200, body: { total_costs: costOf(wanted), categories } };
};

/** An empty category is none. @assumes A-904 */
const categoryOf = ({ category }: VendorDayRow): string => category || 'uncategorized';

const costOf = (rows: readonly VendorDayRow[]): number =>
  wireNumber(sumText(rows.map(({ cost }) => cost)));

function presentName({ id, external_id, name }: CustomerRow) {
  return { id, external_id: external_id ?? null, name };
}
