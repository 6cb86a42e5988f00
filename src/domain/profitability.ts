import { type Decimal, isZero, ratio, subtract, ZERO } from './decimal.ts';
import type { Instant } from './instant.ts';
import { periodAt, type RatePeriod } from './rates.ts';

export interface Profitability {
  readonly gross_revenue: Decimal;
  readonly total_costs: Decimal;
  readonly net_revenue: Decimal;
  /** Net revenue as a share of gross revenue; 0 without revenue. */
  readonly margin: Decimal;
}

/**
 * Net revenue after costs, and the margin.
 *
 * @units   the reporting currency, exact; the margin has 12 significant digits
 * @assumes
 */
export function profitability(gross_revenue: Decimal, total_costs: Decimal): Profitability {
  const net_revenue = subtract(gross_revenue, total_costs);
  const margin = isZero(gross_revenue) ? ZERO : ratio(net_revenue, gross_revenue);
  return { gross_revenue, total_costs, net_revenue, margin };
}

/**
 * The rate period that values an amount at a moment. The schedule is sorted newest first. Before the first rate, the
 * first rate applies.
 *
 * @units   units of the reporting currency per unit of the asset
 * @assumes A-901
 */
export function valuationPeriod(
  schedule: readonly RatePeriod[],
  at: Instant,
): RatePeriod | undefined {
  const first = schedule.findLast(({ valid_from, valid_to }) => valid_from !== valid_to);
  return periodAt(schedule, at) ?? (first && at < first.valid_from ? first : undefined);
}
