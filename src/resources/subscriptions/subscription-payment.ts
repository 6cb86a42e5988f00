import { after } from '../../domain/instant.ts';
import type { PaymentMethod, SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { rememberMethod } from '../payments/payment-methods.ts';
import { activateSubscription } from './activation.ts';
import { keepSubscription } from './holdings.ts';
import { feeOf } from './subscribed-products.ts';

/** Makes a subscription wait for its fixed fee, with a new payment link. @assumes A-604 */
export function awaitPayment(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const { tables, world, now, settings } = context;
  const { refreshes_at: _stopped, ...rest } = subscription;
  const { id, owner } = subscription;
  const token = world.nextToken('payment', owner);
  const seq = world.nextSeq();
  tables.payment_links.put({
    id: token,
    seq,
    owner,
    created_at: now,
    subscription_id: id,
    paid: false,
  });
  return keepSubscription(context, {
    ...rest,
    status: 'action_required',
    payment: { token, expires_at: after(now, settings.payment_link_lifetime), status: 'open' },
  });
}

/** Collects a paid fee, stores the payment method and activates the subscription. @assumes */
export function activatePaid(
  context: Context,
  subscription: SubscriptionRow,
  payment_method: PaymentMethod,
): SubscriptionRow {
  const fee = feeOf(context, subscription);
  const link = context.tables.payment_links.get(subscription.payment?.token ?? '');
  if (link) context.tables.payment_links.put({ ...link, paid: true });
  rememberMethod(context, subscription.customer_id, payment_method);
  const paid = { ...subscription, payment_method };
  return activateSubscription(context, paid, fee);
}

/**
 * Resumes an inactive subscription, whatever start it once asked for. With a fixed fee, a new period opens and the fee
 * is collected from the last payment method. If that fails or there is none, the subscription waits for a payment.
 *
 * @assumes A-606
 */
export function resumeSubscription(
  context: Context,
  subscription: SubscriptionRow,
): SubscriptionRow {
  const { starts_at: _former, ...resumed } = subscription;
  if (!feeOf(context, resumed)) return activateSubscription(context, resumed);
  const { payment_method } = resumed;
  if (!payment_method || payment_method.declines_later)
    return awaitPayment(context, withoutPeriods(resumed));
  return activatePaid(context, withoutPeriods(resumed), payment_method);
}

function withoutPeriods(subscription: SubscriptionRow): SubscriptionRow {
  const { anchor: _anchor, renewal: _renewal, ...rest } = subscription;
  return rest;
}
