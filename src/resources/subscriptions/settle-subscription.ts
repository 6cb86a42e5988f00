import { violate } from '../../domain/rules.ts';
import type { PaymentMethod, PaymentSession, SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { openAgain, SOME_CARD, SOME_REASON, underWay } from '../payments/payment-methods.ts';
import type { PaymentOutcome, SettledPayment } from '../payments/payments.ts';
import { activatePaid, awaitPayment } from './subscription-payment.ts';

/** Settles the outstanding fixed fee of a subscription. @assumes */
export function settleSubscription(
  context: Context,
  subscription: SubscriptionRow,
  outcome: PaymentOutcome,
): SettledPayment {
  const { payment, status } = subscription;
  if (status === 'active' && outcome.outcome === 'succeeded') return present(subscription, 'paid');
  if (!payment) return violate('payment.none_awaited', 'outcome');
  switch (outcome.outcome) {
    case 'succeeded': {
      const method = outcome.method ?? payment.method ?? SOME_CARD;
      return present(activatePaid(context, subscription, method), 'paid', true);
    }
    case 'processing':
      if (payment.status === 'processing') return present(subscription, 'paid');
      return present(awaitMoney(context, subscription, payment, outcome.method), 'paid', true);
    case 'failed':
      return present(failPayment(context, subscription, payment, outcome.reason), 'unpaid', true);
    case 'abandoned':
      if (payment.status === 'processing') return violate('payment.under_way', 'outcome');
      return present(awaitPayment(context, subscription), 'unpaid', true);
  }
}

function awaitMoney(
  { tables, now }: Context,
  subscription: SubscriptionRow,
  session: PaymentSession,
  method?: PaymentMethod,
): SubscriptionRow {
  const payment = underWay(session, method, now);
  return tables.subscriptions.put({ ...subscription, payment });
}

/** After a refusal the link stays open; a link that expired during the payment is replaced. */
function failPayment(
  context: Context,
  subscription: SubscriptionRow,
  session: PaymentSession,
  reason = SOME_REASON,
): SubscriptionRow {
  const ran = session.expires_at <= context.now;
  const waiting = ran ? awaitPayment(context, subscription) : subscription;
  const payment = openAgain(waiting.payment ?? session, reason);
  return context.tables.subscriptions.put({ ...waiting, payment });
}

function present(
  subscription: SubscriptionRow,
  end: 'paid' | 'unpaid',
  changed = false,
): SettledPayment {
  const { id, customer_id, status, redirect_to, return_url, failure_url } = subscription;
  const onwards = redirect_to === 'portal' ? undefined : return_url;
  const redirect_url = end === 'paid' ? onwards : failure_url;
  const settled = { kind: 'subscription' as const, id, customer_id, status, changed };
  return { ...settled, ...(redirect_url !== undefined && { redirect_url }) };
}
