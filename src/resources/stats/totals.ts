import { add, type Decimal, decimal, format } from '../../domain/decimal.ts';
import type { Day } from '../../domain/instant.ts';
import type { TotalsRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context } from '../context.ts';

/**
 * Adds to what a customer brought in and cost: to the sums of all time and to those of the day.
 *
 * @units the reporting currency
 */
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
  const daily = tables.daily_totals.get(dayId) ?? {
    id: dayId,
    seq: world.nextSeq(),
    day,
    ...none,
  };
  tables.totals.put(plus(total));
  tables.daily_totals.put(plus(daily));
}
