import { decimal, format } from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import type { Instant } from '../../domain/instant.ts';
import type { components } from '../../spec/control.d.ts';
import type {
  PaymentMethod,
  PaymentSession,
  SubscriptionRow,
  TopUpRow,
} from '../../store/records.ts';
import type { Context } from '../context.ts';
import { reportingValue } from '../revenue/revenue.ts';
import { activatePaid, awaitPayment } from '../subscriptions/subscription-payment.ts';
import { awaitOtherMethod, openAccount } from '../wallet-accounts.ts';
import { credit, endOfGrant } from '../wallets/ledger.ts';

/** The result of a hosted payment, from its page, the portal or the control API. */
export type PaymentOutcome =
  | { readonly outcome: 'succeeded' | 'processing'; readonly method?: PaymentMethod }
  | { readonly outcome: 'failed'; readonly reason?: string; readonly method?: PaymentMethod }
  | { readonly outcome: 'abandoned' };

/** The settled payment, as the control API returns it. */
export type SettledPayment = components['schemas']['SettledPayment'];

/** What a hosted payment pays: a top-up, or the outstanding fee of a subscription. */
export interface Payable {
  readonly row: TopUpRow | SubscriptionRow;
  /** Whether it can be paid, waits for the money, or is paid; otherwise no payment or no such link is open. */
  readonly state: 'open' | 'processing' | 'paid' | 'none' | 'ended';
  /** Each of these stores the new state, and returns the changed row. */
  succeed(method: PaymentMethod): TopUpRow | SubscriptionRow;
  process(session: PaymentSession): TopUpRow | SubscriptionRow;
  fail(session: PaymentSession): TopUpRow | SubscriptionRow;
  abandon(): TopUpRow | SubscriptionRow;
}

/** The payment of a top-up. @assumes A-1101 */
export function payableTopUp(context: Context, topUp: TopUpRow): Payable {
  const { top_ups } = context.tables;
  return {
    row: topUp,
    state: topUpState(topUp, context.now),
    succeed: (method) => completeTopUp(context, topUp, method),
    process: (payment) => top_ups.put({ ...topUp, status: 'pending', payment }),
    fail: (payment) => failTopUp(context, topUp, payment),
    abandon: () => expireTopUp(context, topUp),
  };
}

/** A refused payment can be repeated until the link expires. */
function topUpState({ status, payment }: TopUpRow, now: Instant): Payable['state'] {
  switch (status) {
    case 'pending':
      return 'processing';
    case 'succeeded':
      return 'paid';
    case 'initiated':
    case 'failed':
      return payment.expires_at > now ? 'open' : 'ended';
    case 'expired':
      return 'ended';
  }
}

/** Adds the purchased credit. @assumes, A-1102 */
function completeTopUp(context: Context, topUp: TopUpRow, method: PaymentMethod): TopUpRow {
  const { id, customer_id, owner, description, metadata } = topUp;
  const account = openAccount(context, { id: customer_id, owner }, topUp.asset, topUp.account_name);
  const expires_at = endOfGrant(context, 'paid', context.now, topUp.credit_expires_at);
  const paid = reportingValue(context, topUp.currency, decimal(topUp.amount), context.now);
  const { token, expires_at: ends } = topUp.payment;
  const payment = { token, expires_at: ends, status: 'open' as const, method };
  // It is no longer on its way when its credit arrives.
  const succeeded = context.tables.top_ups.put({ ...topUp, status: 'succeeded', payment });
  credit(context, account, {
    source: 'top_up',
    from: 'external',
    purpose: 'paid',
    amount: decimal(topUp.credit),
    worth: { kind: 'paid', amount: format(paid) },
    expires_at,
    top_up_id: id,
    ...omitNullish({ description, metadata }),
  });
  return succeeded;
}

function failTopUp(context: Context, topUp: TopUpRow, payment: PaymentSession): TopUpRow {
  const failed = context.tables.top_ups.put({ ...topUp, status: 'failed', payment });
  if (topUp.status === 'pending') awaitOtherMethod(context, failed);
  return failed;
}

/** Expires the link of an unpaid top-up. @assumes A-1101 */
export const expireTopUp = ({ tables }: Context, topUp: TopUpRow): TopUpRow =>
  tables.top_ups.put({ ...topUp, status: 'expired' });

/** The outstanding fixed fee of a subscription, found by the subscription's id or a link. @assumes */
export function payableSubscription(
  context: Context,
  subscription: SubscriptionRow,
  idOrToken: string,
): Payable {
  const { tables, now } = context;
  return {
    row: subscription,
    state: subscriptionState(context, subscription, idOrToken),
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

function subscriptionState(
  { tables }: Context,
  { status, payment }: SubscriptionRow,
  idOrToken: string,
): Payable['state'] {
  const link = tables.links.get(idOrToken);
  // A former link pays nothing more; the fee of a later period has a link of its own.
  if (link && link.id !== payment?.token) return link.paid ? 'paid' : 'ended';
  return status === 'active' ? 'paid' : (payment?.status ?? 'none');
}
