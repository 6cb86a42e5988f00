import { add, compare, type Decimal, decimal, format, sum, ZERO } from '../../domain/decimal.ts';
import type { CustomerRow, TotalsRow, VendorDayRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { inOrder } from '../paging.ts';
import { notFound } from '../problems.ts';
import { findVendor } from '../vendors/vendors.ts';
import { rowsBetween, statsPeriod } from './period.ts';
import { presentStats } from './present-stats.ts';

export const getCustomerStats: Handler<'getCustomerStats'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const total = context.tables.totals.get(customer.id);
  const { revenue, cost } = sumOf(total ? [total] : []);
  return { status: 200, body: presentStats(context.settings, revenue, cost) };
};

export const listCustomerStats: Handler<'listCustomerStats'> = ({ query }, context) => {
  const { tables, owner, now, settings } = context;
  const period = statsPeriod(query, now);
  const standings = tables.customers.list('owner', owner).map((customer) => ({
    customer,
    ...sumOf(rowsBetween(tables.daily_totals.list('of', customer.id), period)),
  }));
  const byRevenue = standings
    .toReversed()
    .sort((left, right) => compare(right.revenue, left.revenue));
  const page = inOrder(byRevenue, query, ({ customer, revenue, cost }) => ({
    ...presentName(customer),
    stats: presentStats(settings, revenue, cost),
  }));
  const revenue = sum(standings.map((standing) => standing.revenue));
  const cost = sum(standings.map((standing) => standing.cost));
  return {
    status: 200,
    body: {
      summary: presentStats(settings, revenue, cost),
      period_from: period.from,
      period_to: period.to,
      ...page,
    },
  };
};

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

/** @assumes A-904 */
const categoryOf = ({ category }: VendorDayRow): string => category ?? 'uncategorized';

const costOf = (rows: readonly VendorDayRow[]): number =>
  wireNumber(format(sum(rows.map((row) => decimal(row.cost)))));

interface Sums {
  readonly revenue: Decimal;
  readonly cost: Decimal;
}

function sumOf(rows: readonly TotalsRow[]): Sums {
  let [revenue, cost] = [ZERO, ZERO];
  for (const row of rows) {
    revenue = add(revenue, decimal(row.revenue));
    cost = add(cost, decimal(row.cost));
  }
  return { revenue, cost };
}

function presentName({ id, external_id, name }: CustomerRow) {
  return { id, external_id: external_id ?? null, name };
}
