import { compare, type Decimal, decimal, sumText, ZERO } from '../../domain/decimal.ts';
import { type Ranking, type Rankings, rank, rowsOf, type Sums } from '../../store/query.ts';
import type { CustomerRow, VendorDayRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer, newestWithout } from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, type PageQuery } from '../paging.ts';
import { notFound } from '../problems.ts';
import { statsPeriod } from '../revenue/period.ts';
import { presentStats, totalAmounts } from '../revenue/revenue.ts';
import { findVendor } from '../vendors/vendors.ts';

export const getCustomerStats: Handler<'getCustomerStats'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const { revenue = '0', cost = '0' } = context.tables.totals.get(customer.id) ?? {};
  return { status: 200, body: presentStats(context.settings, decimal(revenue), decimal(cost)) };
};

export const listCustomerStats: Handler<'listCustomerStats'> = ({ query }, context) => {
  const { tables, owner } = context;
  const { from, to } = statsPeriod(query, context.now);
  const customerOf = (id: string) => tables.customers.get(id);
  return rank(
    tables.totals,
    {
      named: `by revenue of ${owner} from ${from} to ${to}`,
      key: ({ of, day }) =>
        day && day >= from && day <= to && customerOf(of)?.owner === owner ? of : undefined,
      amounts: totalAmounts,
      compare: byRevenue(customerOf),
    },
    (rankings) => ({
      status: 200 as const,
      body: {
        summary: presentSums(context, rankings.total),
        period_from: from,
        period_to: to,
        ...rankCustomers(context, rankings, query),
      },
    }),
  );
};

/** Highest revenue first, then newest customer. */
const byRevenue =
  (customerOf: (id: string) => CustomerRow | undefined) =>
  (left: Ranking, right: Ranking): number =>
    compare(revenueOf(right), revenueOf(left)) ||
    seqOf(customerOf(right.key)) - seqOf(customerOf(left.key));

const revenueOf = ({ sums }: Ranking): Decimal => sums.get('revenue') ?? ZERO;
const seqOf = (customer: CustomerRow | undefined): number => customer?.seq ?? 0;

/** A page of customers in that order. */
function rankCustomers(
  context: Context,
  rankings: Rankings,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
) {
  const { tables, owner } = context;
  const { order } = rankings;
  const all = rowsOf(tables.customers, { owner });
  const gained = order.countWhile((ranking) => compare(revenueOf(ranking), ZERO) > 0);
  const left = offset + limit - gained;
  const others = [
    ...order.page(gained, left),
    ...newestWithout(all, rankings, left).map(({ id }) => ({ key: id, sums: NO_SUMS })),
  ].sort(byRevenue((id) => tables.customers.get(id)));
  const page = [
    ...order.page(offset, Math.min(limit, gained - offset)),
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
  const { from, to } = statsPeriod(query, context.now);
  const days = context.tables.vendor_days.sorted('vendor', vendor.id);
  const earlier = days.countWhile(({ day }) => day < from);
  const upTo = days.countWhile(({ day }) => day <= to);
  const wanted = days
    .page(earlier, upTo - earlier)
    .filter((day) => query.category === undefined || categoryOf(day) === categoryOf(query));
  const names = [...new Set(wanted.map(categoryOf))].sort();
  const categories = names.map((category) => {
    const ofCategory = wanted.filter((day) => categoryOf(day) === category);
    return { category, cost: costOf(ofCategory) };
  });
  return { status: 200, body: { total_costs: costOf(wanted), categories } };
};

/** An empty category is none, of a cost and in a filter. @assumes */
const categoryOf = ({ category }: { readonly category?: string | null }): string =>
  category || 'uncategorized';

const costOf = (rows: readonly VendorDayRow[]): number =>
  wireNumber(sumText(rows.map(({ cost }) => cost)));

function presentName({ id, external_id, name }: CustomerRow) {
  return { id, external_id: external_id ?? null, name };
}
