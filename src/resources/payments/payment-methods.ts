import { after, type Instant } from '../../domain/instant.ts';
import type { CustomerRow, PaymentMethod, PaymentSession } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { isBelow, makeDue } from './auto-top-up-watch.ts';

/** What a payment is made with where nobody says. */
export const SOME_CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };
export const SOME_ACCOUNT: PaymentMethod = {
  kind: 'bank_debit',
  last4: '6789',
  declines_later: false,
};

/** How long a bank takes to say that the money arrived. @assumes A-1103 */
const BANK_WAIT = 'P1D';

/** Why a payment failed where nobody says. */
export const SOME_REASON = 'declined';

/**
 * Remembers how a customer paid last. Automatic top-ups that rested after a refusal, or for want of a way to
 * pay, are tried with it at once where the balance is still below.
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

/** A session whose money is on its way; it arrives by itself. @assumes A-1103 */
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

/** A session that can be paid, again where a payment was refused. */
export function openAgain(session: PaymentSession, failure?: string): PaymentSession {
  const { token, expires_at } = session;
  return { token, expires_at, status: 'open', ...(failure !== undefined && { failure }) };
}
