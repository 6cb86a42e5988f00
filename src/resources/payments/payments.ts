import { omitNullish } from '../../domain/fields.ts';
import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import type {
  CustomerRow,
  PaymentMethod,
  PaymentSession,
  SubscriptionRow,
  TopUpRow,
} from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { TEST_ACCOUNT, TEST_CARD } from '../customers/payment-method.ts';
import { addLink } from '../links.ts';
import { notFound } from '../problems.ts';
import { collectUnpaid } from '../subscriptions/subscription-payment.ts';
import { retryWithMethod } from '../wallet-accounts.ts';
import {
  type Payable,
  type PaymentOutcome,
  payableSubscription,
  payableTopUp,
  type SettledPayment,
} from './payables.ts';

/** How long a bank transfer takes. @assumes A-1103 */
const BANK_WAIT = 'P1D';

/** The default reason of a failed payment. */
const DECLINED = 'declined';

/** Finds a top-up or subscription by its id or by the token of its payment link. */
export function findPayable(
  { tables: { top_ups, subscriptions, links } }: Context,
  idOrToken: string,
): TopUpRow | SubscriptionRow | undefined {
  const { top_up_id, subscription_id } = links.get(idOrToken) ?? {};
  return top_ups.get(top_up_id ?? idOrToken) ?? subscriptions.get(subscription_id ?? idOrToken);
}

/**
 * Settles the outstanding payment of a subscription or a top-up, given its id or the token of its link. A repeated
 * payment changes nothing.
 *
 * @throws RuleViolation `payment.none_awaited`, `payment.link_ended` and `payment.processing` on `outcome`
 * @assumes A-604, A-1101, A-1103, A-1105
 */
export function completePayment(
  context: Context,
  idOrToken: string,
  outcome: PaymentOutcome,
): SettledPayment {
  const row = findPayable(context, idOrToken) ?? notFound();
  const own = { ...context, owner: row.owner };
  const payable = payableOf(own, row, idOrToken);
  if (isRepeated(payable, outcome)) return present(row, outcome, false);
  switch (payable.state) {
    case 'paid':
    case 'none':
      return violate('payment.none_awaited', 'outcome');
    case 'ended':
      return violate('payment.link_ended', 'outcome');
    default:
      return present(applyOutcome(own, payable, outcome), outcome, true);
  }
}

/** A top-up, or the fee of a subscription that is found by its id or by the token of a payment link, as what can be paid. */
export const payableOf = (
  context: Context,
  row: TopUpRow | SubscriptionRow,
  idOrToken: string,
): Payable =>
  'credit' in row ? payableTopUp(context, row) : payableSubscription(context, row, idOrToken);

const isRepeated = ({ state }: Payable, { outcome }: PaymentOutcome): boolean =>
  (state === 'paid' && outcome === 'succeeded') || (state === 'processing' && outcome === state);

/**
 * Applies an outcome to what can be paid: the customer's payment method first, then the payment itself, then other
 * fees that wait for a method.
 *
 * @assumes A-1103, A-1107
 */
function applyOutcome(
  context: Context,
  payable: Payable,
  outcome: PaymentOutcome,
): TopUpRow | SubscriptionRow {
  const { customer_id, payment } = payable.row;
  const { token, expires_at, method: former } = payment as PaymentSession;
  const isProcessing = payable.state === 'processing';
  switch (outcome.outcome) {
    case 'succeeded': {
      const method = outcome.method ?? (isProcessing ? former : undefined) ?? TEST_CARD;
      replaceMethod(context, customer_id, method);
      const paid = payable.succeed(method);
      collectUnpaid(context, customer_id);
      return paid;
    }
    case 'processing': {
      const { method = TEST_ACCOUNT } = outcome;
      const settles_at = after(context.now, BANK_WAIT);
      return payable.process({ token, expires_at, status: 'processing', settles_at, method });
    }
    case 'failed': {
      const { reason: failure = DECLINED, method = isProcessing ? former : undefined } = outcome;
      return payable.fail({
        token,
        expires_at,
        status: 'open',
        failure,
        ...(method && { method }),
      });
    }
    case 'abandoned':
      return isProcessing ? violate('payment.processing', 'outcome') : payable.abandon();
  }
}

function present(
  row: TopUpRow | SubscriptionRow,
  { outcome }: PaymentOutcome,
  changed: boolean,
): SettledPayment {
  const { id, customer_id, status, return_url, failure_url } = row;
  const isUnpaid = outcome === 'failed' || outcome === 'abandoned';
  const leadsToPortal = 'redirect_to' in row && row.redirect_to === 'portal';
  const onwards = leadsToPortal ? undefined : return_url;
  const redirect_url = isUnpaid ? failure_url : onwards;
  const kind = 'credit' in row ? 'top_up' : 'subscription';
  return { kind, id, customer_id, status, changed, ...omitNullish({ redirect_url }) };
}

/** Stores the card that a payer must confirm before it is charged. @assumes A-1103 */
export function setConfirming(context: Context, token: string, confirming: PaymentMethod): void {
  const { tables } = context;
  const row = findPayable(context, token);
  if (row?.payment?.token !== token) return;
  const payment = { ...row.payment, confirming };
  if ('credit' in row) tables.top_ups.put({ ...row, payment });
  else tables.subscriptions.put({ ...row, payment });
}

/** The card that a payment needs confirmed; undefined if there is none. */
export function confirmingMethod(context: Context, token: string): PaymentMethod | undefined {
  const payment = findPayable(context, token)?.payment;
  return payment?.token === token ? payment.confirming : undefined;
}

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
function replaceMethod(context: Context, customerId: string, payment_method: PaymentMethod): void {
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

export const createPortalSession: Handler<'createPortalSession'> = ({ body }, context) => {
  const { now, settings, baseUrl } = context;
  const customer =
    findCustomer(context, body.customer_id) ?? violate('customer.unknown', 'customer_id');

  const { id: token, expires_at } = addLink(context, {
    kind: 'portal',
    customer_id: customer.id,
    return_url: body.return_url,
    failure_url: body.failure_url,
    expires_at: after(now, settings.portal_link_lifetime),
  });
  return { status: 200, body: { redirect_url: `${baseUrl}/hosted/portal/${token}`, expires_at } };
};
