import type { CustomerRow, PaymentMethod } from '../../store/records.ts';
import { retryWithMethod } from '../auto-top-up-watch.ts';
import type { Context } from '../context.ts';
import { collectUnpaid } from '../subscriptions/subscription-payment.ts';

/**
 * Saves a customer's payment method for payments without the customer. It replaces the former one, and pays at once
 * what a saved method was to pay and could not.
 *
 * @assumes A-1104, A-1107
 */
export function saveMethod(
  context: Context,
  { id, owner }: CustomerRow,
  method: PaymentMethod,
): void {
  replaceMethod(context, id, method);
  collectUnpaid({ ...context, owner }, id);
}

/**
 * Replaces a customer's payment method. Automatic top-ups that came to nothing become due if the balance is
 * still below the threshold.
 *
 * @assumes A-1106, A-1107
 */
export function replaceMethod(
  context: Context,
  customerId: string,
  payment_method: PaymentMethod,
): void {
  const { tables } = context;
  const customer = tables.customers.get(customerId) as CustomerRow;
  tables.customers.put({ ...customer, payment_method });
  retryWithMethod(context, customerId);
}

/** Removes the saved payment method. Renewals and automatic top-ups then need the customer. @assumes A-1107 */
export function removeMethod({ tables }: Context, customer: CustomerRow): void {
  const { payment_method: _former, ...rest } = customer;
  tables.customers.put(rest);
}
