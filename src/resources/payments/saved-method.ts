import type { CustomerRow, PaymentMethod } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { rememberMethod } from './payment-methods.ts';

/** Keeps a card for all that is paid without the customer: renewals and automatic top-ups. @assumes A-1104, A-1107 */
export function saveMethod(context: Context, customer: CustomerRow, method: PaymentMethod): void {
  rememberMethod(context, customer.id, method);
  changeRenewals(context, customer, method);
}

/** Forgets the saved card: what would be paid with it waits for the customer. @assumes A-1107 */
export function forgetMethod(context: Context, customer: CustomerRow): void {
  const { payment_method: _former, ...rest } = customer;
  context.tables.customers.put(rest);
  changeRenewals(context, customer, undefined);
}

function changeRenewals(
  { tables }: Context,
  customer: CustomerRow,
  payment_method: PaymentMethod | undefined,
): void {
  for (const subscription of [...tables.subscriptions.list('customer', customer.id)]) {
    const { payment_method: former, ...rest } = subscription;
    if (former) tables.subscriptions.put({ ...rest, ...(payment_method && { payment_method }) });
  }
}
