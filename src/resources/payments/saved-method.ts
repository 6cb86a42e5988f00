import type { CustomerRow, PaymentMethod } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { isBelow, makeDue } from './auto-top-up-watch.ts';
import { rememberMethod } from './payment-methods.ts';

/**
 * Keeps a card for all that is paid without the customer: renewals and automatic top-ups. One that rested
 * after a refusal is tried with it at once where the balance is still below.
 *
 * @assumes A-1104, A-1107
 */
export function saveMethod(context: Context, customer: CustomerRow, method: PaymentMethod): void {
  rememberMethod(context, customer.id, method);
  changeRenewals(context, customer, method);
  const { tables } = context;
  for (const account of tables.wallet_accounts.list('customer', customer.id)) {
    const rule = tables.auto_top_ups.get(account.id);
    if (!rule?.refused) continue;
    const { refused: _overcome, ...rested } = rule;
    tables.auto_top_ups.put(rested);
    if (isBelow(rested, account)) makeDue(context, rested);
  }
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
