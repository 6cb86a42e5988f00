import { given } from '../../domain/given.ts';
import type { PaymentMethod, PaymentSession } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { findPayable } from './payments.ts';

/** Stores the card that a payer must confirm before it is charged; undefined removes it. @assumes A-1103 */
export function setConfirming(
  context: Context,
  token: string,
  confirming: PaymentMethod | undefined,
): void {
  const { tables } = context;
  const changed = ({ confirming: _former, ...session }: PaymentSession): PaymentSession => ({
    ...session,
    ...given({ confirming }),
  });
  const row = findPayable(context, token);
  if (row?.payment?.token !== token) return;
  if ('credit' in row) tables.top_ups.put({ ...row, payment: changed(row.payment) });
  else tables.subscriptions.put({ ...row, payment: changed(row.payment) });
}

/** The card that a payment needs confirmed; undefined if there is none. */
export function confirmingMethod(context: Context, token: string): PaymentMethod | undefined {
  const payment = findPayable(context, token)?.payment;
  return payment?.token === token ? payment.confirming : undefined;
}
