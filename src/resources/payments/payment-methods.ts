import { after, type Instant } from '../../domain/instant.ts';
import type { CustomerRow, PaymentMethod, PaymentSession } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { isBelow, makeDue } from './auto-top-up-watch.ts';

/** The default payment method. */
export const SOME_CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };
export const SOME_ACCOUNT: PaymentMethod = {
  kind: 'bank_debit',
  last4: '6789',
  declines_later: false,
};

/** How long a bank transfer takes. @assumes A-1103 */
const BANK_WAIT = 'P1D';

/** The default reason of a failed payment. */
export const SOME_REASON = 'declined';

/**
 * Stores the customer's last payment method. Automatic top-ups that wait for another method become due if the
 * balance is still below the threshold.
 *
 * @assumes A-1106, A-1107
 */
export function rememberMethod(
  context: Context,
  customerId: string,
  payment_method: PaymentMethod,
): void {
  const { tables } = context;
  const customer = tables.customers.get(customerId) as CustomerRow;
  tables.customers.put({ ...customer, payment_method });
  for (const account of tables.wallet_accounts.list('customer', customerId)) {
    const rule = tables.auto_top_ups.get(account.id);
    if (!rule?.refused) continue;
    const { refused: _overcome, ...rested } = rule;
    tables.auto_top_ups.put(rested);
    if (isBelow(rested, account)) makeDue(context, rested);
  }
}

/** Saves a card for payments without the customer: renewals and automatic top-ups. @assumes A-1104, A-1107 */
export function saveMethod(context: Context, customer: CustomerRow, method: PaymentMethod): void {
  rememberMethod(context, customer.id, method);
  changeRenewals(context, customer, method);
}

/** Removes the saved card. Renewals and automatic top-ups then need the customer. @assumes A-1107 */
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

/** The session of a payment in progress; its money arrives later without a request. @assumes A-1103 */
export function underWay(
  session: PaymentSession,
  method: PaymentMethod | undefined,
  now: Instant,
): PaymentSession {
  const { failure: _overcome, ...rest } = session;
  return {
    ...rest,
    status: 'processing',
    settles_at: after(now, BANK_WAIT),
    method: method ?? SOME_ACCOUNT,
  };
}

/** A session that can be paid, or paid again after a refusal. */
export function openAgain(session: PaymentSession, failure?: string): PaymentSession {
  const { token, expires_at } = session;
  return { token, expires_at, status: 'open', ...(failure !== undefined && { failure }) };
}
