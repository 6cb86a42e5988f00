import type { PaymentMethod, PaymentSession } from '../../state/records.ts';
import type { Context } from '../context.ts';

/** Keeps the card that a payer must confirm before anything is paid with it. @assumes A-1103 */
export function awaitConfirmation(
  context: Context,
  token: string,
  confirming: PaymentMethod,
): void {
  changeSession(context, token, (session) => ({ ...session, confirming }));
}

/** Forgets a card that was not confirmed. */
export function endConfirmation(context: Context, token: string): void {
  changeSession(context, token, ({ confirming: _refused, ...session }) => session);
}

/** The card that a payment waits to have confirmed; undefined where there is none. */
export function confirmingMethod({ tables }: Context, token: string): PaymentMethod | undefined {
  const record = tables.top_ups.first('payment', token);
  return (record ?? tables.subscriptions.first('payment', token))?.payment?.confirming;
}

function changeSession(
  { tables }: Context,
  token: string,
  change: (session: PaymentSession) => PaymentSession,
): void {
  const topUp = tables.top_ups.first('payment', token);
  if (topUp) tables.top_ups.put({ ...topUp, payment: change(topUp.payment) });
  const subscription = tables.subscriptions.first('payment', token);
  if (subscription?.payment)
    tables.subscriptions.put({ ...subscription, payment: change(subscription.payment) });
}
