import { type DecimalText, format } from '../../domain/decimal.ts';
import type { FixedFee } from '../../domain/fixed-fees.ts';
import { given } from '../../domain/given.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  afterRenewal,
  catchUp,
  type RenewalSchedule,
  renewalAt,
} from '../../domain/subscriptions.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { type Collection, collectionBy } from '../customers/payment-method.ts';
import { grantEntitlements } from './entitlements.ts';
import { collectFee } from './fee-collection.ts';
import { withPeriodFee } from './period-fee.ts';
import { feeOf } from './subscribed-products.ts';
import { awaitPayment } from './subscription-payment.ts';

/** How the renewal of a subscription ended. */
export interface Renewal {
  /** `renewed` if there was nothing to collect. */
  readonly outcome: 'renewed' | Collection;
  readonly fee?: { readonly currency: string; readonly amount: DecimalText };
}

/**
 * Renews a running subscription. Its fixed fees are collected from the saved payment method. If that fails or there
 * is none, the subscription waits for a payment; its schedule stays.
 *
 * @assumes A-605, A-1107
 */
export function renewSubscription(context: Context, subscription: SubscriptionRow): Renewal {
  const fee = feeOf(context, subscription);
  if (!fee) {
    // Free periods that are already over do not need a renewal each.
    openNextPeriod(context, subscription, undefined, context.world.now);
    return { outcome: 'renewed' };
  }
  const outcome = collectionBy(context, subscription.customer_id);
  if (outcome === 'collected') openNextPeriod(context, subscription, fee);
  else awaitPayment(context, subscription, outcome === 'declined' ? outcome : undefined);
  return { outcome, fee: presentFee(fee) };
}

/** The outstanding fee of a subscription for one period, with its amount as text; undefined if there is none. */
export function outstandingFee(
  context: Context,
  subscription: SubscriptionRow,
): Renewal['fee'] | undefined {
  const fee = feeOf(context, subscription);
  return fee && presentFee(fee);
}

/** Opens the period of a renewal: records its fee and grants the credit that waited for it. @assumes A-607 */
function openNextPeriod(
  context: Context,
  subscription: SubscriptionRow,
  fee: FixedFee | undefined,
  since: Instant = context.now,
): SubscriptionRow {
  const { renewal, refreshes_at } = subscription;
  const next = renewal && catchUp(afterRenewal(renewal), since);
  const opened = withPeriodFee(context, withRenewal(subscription, next), fee);
  if (fee) collectFee(context, opened, fee, 'addition');
  const granted = grantEntitlements(context, opened, 'addition');
  // The refreshes of this instant are still to come, also of an entitlement whose credit ended before.
  return refreshes_at === context.now
    ? context.tables.subscriptions.put({ ...granted, refreshes_at })
    : granted;
}

/** The subscription with a renewal schedule, or with none. An inactive subscription does not show its next renewal. */
export function withRenewal(
  subscription: SubscriptionRow,
  renewal: RenewalSchedule | undefined,
): SubscriptionRow {
  const { renewal: _schedule, renews_at: _next, ...rest } = subscription;
  const shown = subscription.status === 'inactive' ? undefined : renewal;
  return { ...rest, ...given({ renewal, renews_at: shown && renewalAt(shown) }) };
}

const presentFee = ({ currency, amount }: FixedFee) => ({ currency, amount: format(amount) });
