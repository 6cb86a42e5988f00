import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { activatePaid, awaitPayment } from '../subscriptions/subscription-payment.ts';
import type { Payable } from './outcome.ts';

/** The outstanding fixed fee of a subscription, found by the subscription's id or a link. @assumes */
export function payableSubscription(
  context: Context,
  subscription: SubscriptionRow,
  idOrToken: string,
): Payable {
  const { tables, now } = context;
  return {
    row: subscription,
    state: stateOf(context, subscription, idOrToken),
    succeed: () => activatePaid(context, subscription),
    process: (payment) => tables.subscriptions.put({ ...subscription, payment }),
    fail: (payment) =>
      // A link that expired during the payment is replaced.
      payment.expires_at <= now
        ? awaitPayment(context, subscription, payment.failure)
        : tables.subscriptions.put({ ...subscription, payment }),
    abandon: () => awaitPayment(context, subscription),
  };
}

function stateOf(
  { tables }: Context,
  { status, payment }: SubscriptionRow,
  idOrToken: string,
): Payable['state'] {
  const link = tables.links.get(idOrToken);
  if (link && !link.paid && link.id !== payment?.token) return 'ended';
  return status === 'active' ? 'paid' : (payment?.status ?? 'none');
}
