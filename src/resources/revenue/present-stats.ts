import type { Settings } from '../../config/settings.ts';
import { type Decimal, format } from '../../domain/decimal.ts';
import { profitability } from '../../domain/profitability.ts';
import { wireNumber } from '../../text/exact-json.ts';

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
