import {
  compare,
  type Decimal,
  decimal,
  format,
  isPositive,
  isZero,
  multiply,
  subtract,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { nextCreditAt, type Occasion } from '../../domain/entitlements.ts';
import { countGrants, deferOver } from '../../domain/fee-deferral.ts';
import type { FixedFee } from '../../domain/fixed-fees.ts';
import { dayOf, fromMillis, toMillis } from '../../domain/instant.ts';
import type { Deferral, PaymentMethod, SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { savedMethod } from '../customers/payment-method.ts';
import { recordRevenue, reportingValue } from '../revenue/revenue.ts';
import { releaseAll } from './deferred-shares.ts';
import { costsFee, creditTime, promisedBy } from './entitlements.ts';
import { oneTimesOutstanding, recurringFeeOf } from './subscribed-products.ts';

/**
 * Stores a fixed fee that was collected for the period that begins. The part for bundled credit until the next
 * collection is deferred; the rest is revenue of the day. What an earlier fee of the subscription still deferred
 * becomes revenue too.
 *
 * @units   the fee's currency; revenue in the reporting currency
 * @assumes A-903, A-1507
 */
export function collectFee(
  context: Context,
  subscription: SubscriptionRow,
  { currency, amount }: FixedFee,
  occasion: Occasion,
): void {
  const { tables, world, now } = context;
  const { id: subscription_id, customer_id, owner } = subscription;
  const payment_method = savedMethod(context, customer_id) as PaymentMethod;
  releaseAll(context, subscription);
  const one_times = oneTimesOutstanding(context, subscription).map(({ product_id, price }) => ({
    product_id,
    name: price.name,
  }));
  const worth = reportingValue(context, currency, amount, now);
  const deferred = deferralsOf(context, subscription, worth, occasion);
  const revenue = subtract(worth, sum(deferred.map((each) => decimal(each.amount))));
  if (!isZero(revenue)) recordRevenue(context, customer_id, dayOf(now), revenue, ZERO);
  tables.fee_payments.put({
    id: world.nextId('payment', owner),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id,
    subscription_id,
    amount: format(amount),
    currency,
    worth: format(worth),
    revenue: format(revenue),
    deferred,
    released: [],
    payment_method,
    ...(one_times.length > 0 && { one_times }),
  });
}

/**
 * The deferred part of a fee for each entitlement. Without a next collection, only credit due now is included; a renewal
 * that collects nothing is none.
 */
function deferralsOf(
  context: Context,
  subscription: SubscriptionRow,
  worth: Decimal,
  occasion: Occasion,
): Deferral[] {
  const { begins_at = context.now, anchor = begins_at, renews_at } = subscription;
  const collects = recurringFeeOf(context, subscription) !== undefined;
  const until = (collects ? renews_at : undefined) ?? fromMillis(toMillis(begins_at) + 1);
  const planned = promisedBy(context, subscription).flatMap((promised) => {
    const { version, index, entitlement, latest } = promised;
    const time = { ...creditTime(context, subscription, promised), anchor, now: begins_at };
    const due_at = nextCreditAt(entitlement, latest, occasion, time);
    if (entitlement.purpose !== 'bundled' || !costsFee(version) || !due_at) return [];
    const grants = countGrants(entitlement, anchor, due_at, until);
    const each = multiply(
      decimal(entitlement.amount),
      decimal(entitlement.accounting.revenue_basis),
    );
    const { product_id } = version;
    const place = { product_id, version: version.version, index, grants, due_at };
    return [{ place, value: multiply(each, decimal(grants)) }];
  });
  const shares = deferOver(
    worth,
    planned.map(({ value }) => value),
  );
  return planned.flatMap(({ place }, at) => {
    const share = shares[at] ?? ZERO;
    return isPositive(share) ? [{ ...place, amount: format(share) }] : [];
  });
}

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
