import { given } from '../../domain/given.ts';
import { after, fromMillis, toMillis } from '../../domain/instant.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { collectionBy } from '../customers/payment-method.ts';
import { addLink } from '../links.ts';
import { activateSubscription } from './activation.ts';
import { missCredit } from './deferred-shares.ts';
import { keepSubscription } from './holdings.ts';
import { feeOf } from './subscribed-products.ts';

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
      ...given({ failure }),
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
