import { add, compare, type Decimal, decimal, format, sum, ZERO } from '../../domain/decimal.ts';
import type { Reply } from '../../spec/operations.ts';
import { dayAmounts } from '../../state/facets.ts';
import type { SumIndex, Sums } from '../../state/indexes/row-index.ts';
import type { CustomerRow, TotalsRow, VendorDayRow } from '../../state/records.ts';
import { placesFrom, SortedRows } from '../../state/sorted-rows.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, type PageQuery } from '../paging.ts';
import { notFound } from '../problems.ts';
import { findVendor } from '../vendors/vendors.ts';
import { type Days, rowsBetween, statsPeriod } from './period.ts';
import { presentStats } from './present-stats.ts';

export const getCustomerStats: Handler<'getCustomerStats'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const { revenue = '0', cost = '0' } = context.tables.totals.get(customer.id) ?? {};
  return { status: 200, body: presentStats(context.settings, decimal(revenue), decimal(cost)) };
};

export const listCustomerStats: Handler<'listCustomerStats'> = ({ query }, context) => {
  const period = statsPeriod(query, context.now);
  const { daily_totals } = context.tables;
  const name = `by customer from ${period.from} to ${period.to}`;
  const index: SumIndex<TotalsRow> = {
    key: ({ of, day }) => (day && day >= period.from && day <= period.to ? of : undefined),
    amounts: dayAmounts,
  };
  const rank = () => rankCustomers(context, period, daily_totals.sums(name), query);
  return daily_totals.prepared(name, rank, index);
};

/** A page of customers, most revenue first, then the newest. */
function rankCustomers(
  { tables, owner, settings }: Context,
  { from: period_from, to: period_to }: Required<Days>,
  sums: ReadonlyMap<string, Sums>,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
): Reply<'listCustomerStats'> {
  const customers = tables.customers.list('owner', owner);
  const first = new FirstStandings(offset + limit);
  let [revenue, cost] = [ZERO, ZERO];
  for (const [id, amounts] of sums) {
    const customer = tables.customers.get(id);
    if (customer?.owner !== owner) continue;
    const [brought, spent] = [amounts.get('revenue') ?? ZERO, amounts.get('cost') ?? ZERO];
    [revenue, cost] = [add(revenue, brought), add(cost, spent)];
    first.offer({ customer, revenue: brought, cost: spent });
  }
  // Of those who brought nothing, so many of the newest as may stand on the page.
  for (
    let place = customers.length - 1, left = offset + limit;
    place >= 0 && left > 0;
    place -= 1
  ) {
    const customer = customers[place] as CustomerRow;
    if (sums.has(customer.id)) continue;
    first.offer({ customer, revenue: ZERO, cost: ZERO });
    left -= 1;
  }
  const items = placesFrom(first.rows, offset, limit).map((standing) => ({
    ...presentName(standing.customer),
    stats: presentStats(settings, standing.revenue, standing.cost),
  }));
  const summary = presentStats(settings, revenue, cost);
  const page = { items, total_count: customers.length, limit, offset };
  return { status: 200, body: { summary, period_from, period_to, ...page } };
}

/** The first so many standings of those that were offered. */
class FirstStandings {
  readonly rows = new SortedRows<Standing>(compareStandings);

  constructor(private readonly most: number) {}

  offer(standing: Standing): void {
    const { rows, most } = this;
    const last = rows.at(most - 1);
    if (last && compareStandings(last, standing) < 0) return;
    if (last) rows.remove(last);
    rows.add(standing);
  }
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

interface Standing {
  readonly customer: CustomerRow;
  readonly revenue: Decimal;
  readonly cost: Decimal;
}

function presentName({ id, external_id, name }: CustomerRow) {
  return { id, external_id: external_id ?? null, name };
}
