import { type DecimalText, format } from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import type { FixedFee } from '../../domain/fixed-fees.ts';
import { after, fromMillis, type Instant, toMillis } from '../../domain/instant.ts';
import {
  afterRenewal,
  catchUp,
  type RenewalSchedule,
  renewalAt,
} from '../../domain/subscriptions.ts';
import { rowsOf } from '../../store/query.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { type Collection, collectionBy } from '../customers/payment-method.ts';
import { addLink } from '../links.ts';
import { activateSubscription } from './activation.ts';
import { missCredit } from './deferred-shares.ts';
import { grantEntitlements } from './entitlements.ts';
import { collectFee, withPeriodFee } from './fee-collection.ts';
import { feeOf, keepSubscription } from './subscribed-products.ts';

/** Makes a subscription wait for its fixed fee, with a new payment link that shows why a payment failed. @assumes A-604 */
export function awaitPayment(
  context: Context,
  subscription: SubscriptionRow,
  failure?: string,
): SubscriptionRow {
  const { now, settings } = context;
  const { id, customer_id, status, products } = subscription;
  // A failed renewal also misses the refreshes of its own instant, which would follow it.
  const stopped = status === 'active' && { after: fromMillis(toMillis(now) - 1), products };
  const expires_at = after(now, settings.payment_link_lifetime);
  const { id: token } = addLink(context, {
    kind: 'payment',
    customer_id,
    subscription_id: id,
    expires_at,
  });
  const waiting = keepSubscription(context, {
    ...subscription,
    ...(stopped && { stopped }),
    status: 'action_required',
    payment: {
      token,
      expires_at,
      status: 'open',
      ...omitNullish({ failure }),
    },
  });
  return missCredit(context, waiting);
}

/** Collects the fee that the customer's payment method pays, and activates the subscription. @assumes */
export function activatePaid(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const fee = feeOf(context, subscription);
  const link = context.tables.links.get(subscription.payment?.token ?? '');
  if (link) context.tables.links.put({ ...link, paid: true });
  return activateSubscription(context, subscription, fee);
}

/**
 * Collects from the saved payment method, if it is good, every fee that it was to pay and could not: unpaid renewals,
 * one-time fees and resumptions. The first fee of a subscription waits for the customer.
 *
 * @assumes A-1107
 */
export function collectUnpaid(context: Context, customerId: string): void {
  if (collectionBy(context, customerId) !== 'collected') return;
  for (const subscription of [
    ...rowsOf(context.tables.subscriptions, { customer_id: customerId }),
  ]) {
    const { status, started_at, payment } = subscription;
    const isOpen = status === 'action_required' && payment?.status === 'open';
    if (isOpen && started_at !== undefined) activatePaid(context, subscription);
  }
}

/**
 * Resumes an inactive subscription, whatever start it once asked for. With a fixed fee, a new period opens and the fee
 * is collected from the saved payment method. If that fails or there is none, the subscription waits for a payment.
 *
 * @assumes A-606, A-1107
 */
export function resumeSubscription(
  context: Context,
  subscription: SubscriptionRow,
): SubscriptionRow {
  const { starts_at: _former, ...resumed } = subscription;
  if (!feeOf(context, resumed)) return activateSubscription(context, resumed);
  const { anchor: _anchor, renewal: _renewal, ...reopened } = resumed;
  const collection = collectionBy(context, subscription.customer_id);
  if (collection === 'collected') return activatePaid(context, reopened);
  return awaitPayment(context, reopened, collection === 'declined' ? collection : undefined);
}

/** How the renewal of a subscription ended. */
interface Renewal {
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
  return { ...rest, ...omitNullish({ renewal, renews_at: shown && renewalAt(shown) }) };
}

const presentFee = ({ currency, amount }: FixedFee) => ({ currency, amount: format(amount) });
