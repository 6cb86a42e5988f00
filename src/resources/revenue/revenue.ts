import type { Settings } from '../../config/settings.ts';
import { groupBy } from '../../domain/collections.ts';
import { add, type Decimal, decimal, format, isZero, sumText, ZERO } from '../../domain/decimal.ts';
import { type Day, dayOf, type Instant } from '../../domain/instant.ts';
import { profitability, valuationPeriod } from '../../domain/profitability.ts';
import { costOf, type RatePeriod } from '../../domain/rates.ts';
import type { CostRecord, EventRow, TaskRow, TotalsRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { warn } from '../warnings.ts';

/** Adds revenue and cost to a customer's totals and to those of the day. @units the reporting currency */
export function recordRevenue(
  { tables, world }: Context,
  customerId: string,
  day: Day,
  revenue: Decimal,
  cost: Decimal,
): void {
  const plus = (row: TotalsRow): TotalsRow => ({
    ...row,
    revenue: format(add(decimal(row.revenue), revenue)),
    cost: format(add(decimal(row.cost), cost)),
  });
  const dayId = key(customerId, day);
  const none = { of: customerId, revenue: '0', cost: '0' };
  const total = tables.totals.get(customerId) ?? { id: customerId, seq: world.nextSeq(), ...none };
  const daily = tables.totals.get(dayId) ?? {
    id: dayId,
    seq: world.nextSeq(),
    day,
    ...none,
  };
  tables.totals.put(plus(total));
  tables.totals.put(plus(daily));
}

/** The amounts of a row of totals, for a ranking. */
export const totalAmounts = ({ revenue, cost }: TotalsRow) =>
  [
    ['revenue', decimal(revenue)],
    ['cost', decimal(cost)],
  ] as const;

/**
 * Adds new events of one customer to the totals of its days, its tasks and of vendors. Each total is written once
 * per call.
 *
 * @units   the reporting currency
 * @assumes, A-1001
 */
export function addToTotals(
  context: Context,
  customerId: string,
  events: readonly EventRow[],
): void {
  for (const [day, ofDay] of groupBy(events, (event) => dayOf(event.occurred_at))) {
    const revenue = decimal(sumText(ofDay.map((event) => event.revenue)));
    const cost = decimal(sumText(ofDay.map((event) => event.cost)));
    recordRevenue(context, customerId, day, revenue, cost);
  }
  for (const [subject, ofTask] of groupBy(events, (event) => event.subject))
    if (subject !== undefined) addToTask(context, `${customerId}:${subject}`, subject, ofTask);
  const expenses = events.flatMap((event) =>
    event.costs.map((cost) => ({ cost, day: dayOf(event.occurred_at) })),
  );
  for (const [id, ofVendor] of groupBy(expenses, vendorDayId)) addToVendor(context, id, ofVendor);
}

function addToTask(
  { tables, world, owner }: Context,
  id: string,
  subject: string,
  events: readonly EventRow[],
): void {
  const task: TaskRow | undefined = tables.tasks.get(id);
  const moments = events.map((event) => event.occurred_at);
  if (task) moments.push(task.created_at, task.last_updated_at);
  moments.sort();
  const first = events[0] as EventRow;
  tables.tasks.put({
    id,
    seq: task?.seq ?? world.nextSeq(),
    owner,
    customer_id: first.customer_id,
    subject,
    event_count: (task?.event_count ?? 0) + events.length,
    created_at: moments[0] ?? first.occurred_at,
    last_updated_at: moments.at(-1) ?? first.occurred_at,
    revenue: sumText([task?.revenue ?? '0', ...events.map((event) => event.revenue)]),
    cost: sumText([task?.cost ?? '0', ...events.map((event) => event.cost)]),
  });
}

interface Expense {
  readonly cost: CostRecord;
  readonly day: Day;
}

const vendorDayId = ({ cost, day }: Expense): string =>
  cost.category === undefined ? key(cost.vendor_id, day) : key(cost.vendor_id, day, cost.category);

function addToVendor({ tables, world }: Context, id: string, expenses: readonly Expense[]): void {
  const row = tables.vendor_days.get(id);
  const { cost, day } = expenses[0] as Expense;
  tables.vendor_days.put({
    id,
    seq: row?.seq ?? world.nextSeq(),
    vendor_id: cost.vendor_id,
    day,
    category: cost.category ?? null,
    cost: sumText([row?.cost ?? '0', ...expenses.map((expense) => expense.cost.cost)]),
    count: (row?.count ?? 0) + expenses.length,
  });
}

/**
 * The value of an amount in the reporting currency at a moment. An asset without a rate has the value 0 and causes a
 * warning.
 *
 * @units   the reporting currency, 10 decimal places
 * @assumes A-901
 */
export function reportingValue(
  context: Context,
  asset: string,
  amount: Decimal,
  at: Instant,
  kind: 'unpriced_asset' | 'unpriced_cost' = 'unpriced_asset',
): Decimal {
  const currency = context.settings.reporting_currency;
  if (asset === currency || isZero(amount)) return amount;
  const period = valuationOf(context, asset, at);
  if (period) return costOf(amount, period);
  warn(context, {
    kind,
    place: asset,
    message: `${asset} had no rate in ${currency} at ${at}: it is valued at 0.`,
    field: asset,
  });
  return ZERO;
}

/**
 * The rate period that values an asset at a moment; a moment after now counts as now. Undefined if there is none.
 *
 * @assumes
 */
export function valuationOf(context: Context, asset: string, at: Instant): RatePeriod | undefined {
  const currency = context.settings.reporting_currency;
  const moment = at > context.now ? context.now : at;
  return valuationPeriod(findAsset(context, asset)?.schedules[currency] ?? [], moment);
}

/** Revenue, costs, net revenue and margin in the reporting currency. */
export function presentStats(settings: Settings, revenue: Decimal, cost: Decimal) {
  const { gross_revenue, total_costs, net_revenue, margin } = profitability(revenue, cost);
  return {
    gross_revenue: wireNumber(format(gross_revenue)),
    total_costs: wireNumber(format(total_costs)),
    net_revenue: wireNumber(format(net_revenue)),
    margin: wireNumber(format(margin)),
    currency: settings.reporting_currency,
  };
}
