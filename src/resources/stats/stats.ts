import { add, compare, type Decimal, decimal, format, sum, ZERO } from '../../domain/decimal.ts';
import type { Reply } from '../../spec/operations.ts';
import type { CustomerRow, TotalsRow, VendorDayRow } from '../../state/records.ts';
import type { Resumable } from '../../state/resumable.ts';
import { placesFrom, SortedRows } from '../../state/sorted-rows.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, type PageQuery } from '../paging.ts';
import { notFound } from '../problems.ts';
import { findVendor } from '../vendors/vendors.ts';
import { walk } from '../walk.ts';
import { type Days, rowsBetween, statsPeriod } from './period.ts';
import { presentStats } from './present-stats.ts';

export const getCustomerStats: Handler<'getCustomerStats'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const total = context.tables.totals.get(customer.id);
  const { revenue, cost } = sumOf(total ? [total] : []);
  return { status: 200, body: presentStats(context.settings, revenue, cost) };
};

export const listCustomerStats: Handler<'listCustomerStats'> = ({ query }, context) => {
  const { tables, owner, now } = context;
  const period = statsPeriod(query, now);
  const customers = tables.customers.list('owner', owner);
  return walk(customers.length, rankCustomers(context, [...customers], period, query));
};

/** A page of customers, most revenue first, then the newest. Of the others the sums alone are kept. */
function* rankCustomers(
  { tables, settings }: Context,
  customers: readonly CustomerRow[],
  period: Required<Days>,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
): Resumable<Reply<'listCustomerStats'>> {
  let [revenue, cost] = [ZERO, ZERO];
  const first = new SortedRows(compareStandings);
  for (const customer of customers) {
    const sums = sumOf(rowsBetween(tables.daily_totals.list('of', customer.id), period));
    [revenue, cost] = [add(revenue, sums.revenue), add(cost, sums.cost)];
    first.add({ customer, ...sums });
    if (first.length > offset + limit) first.remove(first.at(first.length - 1) as Standing);
    yield;
  }
  const items = placesFrom(first, offset, limit).map((standing) => ({
    ...presentName(standing.customer),
    stats: presentStats(settings, standing.revenue, standing.cost),
  }));
  const summary = presentStats(settings, revenue, cost);
  const { from: period_from, to: period_to } = period;
  const page = { items, total_count: customers.length, limit, offset };
  return { status: 200, body: { summary, period_from, period_to, ...page } };
}

const compareStandings = (left: Standing, right: Standing): number =>
  compare(right.revenue, left.revenue) || right.customer.seq - left.customer.seq;

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

interface Standing extends Sums {
  readonly customer: CustomerRow;
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
