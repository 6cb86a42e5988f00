import { compare, decimal, format } from '../../domain/decimal.ts';
import type { FixedFee } from '../../domain/fixed-fees.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { recurringFeeOf } from './subscribed-products.ts';

/**
 * The subscription with the recurring part of the fee collected for its new period; without a fee if nothing was
 * collected.
 */
export function withPeriodFee(
  context: Context,
  { period_fee: _former, ...subscription }: SubscriptionRow,
  collected: FixedFee | undefined,
): SubscriptionRow {
  const fee = collected && recurringFeeOf(context, subscription);
  if (!fee) return subscription;
  const { currency, amount } = fee;
  return { ...subscription, period_fee: { currency, amount: format(amount) } };
}

/**
 * Whether a subscription costs more than was collected for its current period. If so, credit of added versions waits
 * for the next collection. One-time prices do not count.
 *
 * @assumes A-607, A-1507
 */
export function isFeeRaised(context: Context, subscription: SubscriptionRow): boolean {
  const fee = recurringFeeOf(context, subscription);
  if (!fee) return false;
  const { period_fee } = subscription;
  const isCovered =
    period_fee?.currency === fee.currency && compare(fee.amount, decimal(period_fee.amount)) <= 0;
  return !isCovered;
}
