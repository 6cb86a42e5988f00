import {
  add,
  CURRENCY_PLACES,
  type Decimal,
  decimal,
  isZero,
  multiply,
  negate,
  round,
  subtract,
  ZERO,
} from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import { valuationPeriod } from '../../domain/profitability.ts';
import type { RatePeriod } from '../../domain/rates.ts';
import type { GrantRow } from '../../state/records.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import type { Movement } from '../wallets/ledger.ts';
import { warn } from '../warnings.ts';

/**
 * What an amount of an asset is worth in the reporting currency at a moment. An asset without a rate is
 * worth nothing, and a warning says so.
 *
 * @units   the reporting currency, 10 decimal places
 * @assumes A-901
 */
export function reportingValue(
  context: Context,
  asset: string,
  amount: Decimal,
  at: Instant,
): Decimal {
  const currency = context.settings.reporting_currency;
  if (asset === currency || isZero(amount)) return amount;
  const period = valuationOf(context, asset, at);
  if (period) return round(multiply(amount, decimal(period.rate)), CURRENCY_PLACES);
  warn(context, {
    kind: 'unpriced_asset',
    place: asset,
    message: `${asset} had no rate in ${currency} at ${at}: it is valued at 0.`,
    field: asset,
  });
  return ZERO;
}

/** The period of an asset's rate that values it at a moment; undefined where there is none. @assumes A-901 */
export function valuationOf(context: Context, asset: string, at: Instant): RatePeriod | undefined {
  const currency = context.settings.reporting_currency;
  return valuationPeriod(findAsset(context, asset)?.schedules[currency] ?? [], at);
}

/**
 * What a debit brings in: credit of an entitlement and gifts at their own basis, all else in full.
 *
 * @units   the reporting currency, 10 decimal places
 * @assumes
 */
export function revenueOf(
  context: Context,
  { transaction, draws }: Movement,
  at: Instant,
): Decimal {
  let full = negate(decimal(transaction.amount));
  let revenue = ZERO;
  for (const { grant, amount } of draws) {
    const basis = revenueBasis(grant);
    if (!basis) continue;
    full = subtract(full, amount);
    revenue = add(revenue, round(multiply(amount, basis), CURRENCY_PLACES));
  }
  return add(revenue, reportingValue(context, transaction.asset, full, at));
}

/** What a unit of a grant's credit brings in once it is used; undefined where it counts in full. */
export function revenueBasis({ revenue_basis, purpose, source }: GrantRow): Decimal | undefined {
  if (revenue_basis !== undefined) return decimal(revenue_basis);
  return source === 'adjustment' && purpose === 'promotion' ? ZERO : undefined;
}
