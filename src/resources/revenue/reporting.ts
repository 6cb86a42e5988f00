import { CURRENCY_PLACES, type Decimal, isZero, ZERO } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import { valuationPeriod } from '../../domain/profitability.ts';
import { costOf, type RatePeriod } from '../../domain/rates.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { warn } from '../warnings.ts';

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
  if (period) return costOf(amount, period, CURRENCY_PLACES);
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
