import { given } from '../../domain/given.ts';
import type { PaymentMethod, PaymentSession } from '../../store/records.ts';
import type { Context } from '../context.ts';

/** Stores the card that a payer must confirm before it is charged; undefined removes it. @assumes A-1103 */
export function setConfirming(
  { tables }: Context,
  token: string,
  confirming: PaymentMethod | undefined,
): void {
  const changed = ({ confirming: _former, ...session }: PaymentSession): PaymentSession => ({
    ...session,
    ...given({ confirming }),
  });
  const topUp = tables.top_ups.first('payment', token);
  if (topUp) tables.top_ups.put({ ...topUp, payment: changed(topUp.payment) });
  const subscription = tables.subscriptions.first('payment', token);
  if (subscription?.payment)
    tables.subscriptions.put({ ...subscription, payment: changed(subscription.payment) });
}

/** The card that a payment needs confirmed; undefined if there is none. */
export function confirmingMethod({ tables }: Context, token: string): PaymentMethod | undefined {
  const record = tables.top_ups.first('payment', token);
  return (record ?? tables.subscriptions.first('payment', token))?.payment?.confirming;
}
