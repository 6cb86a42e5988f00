import { decimal, format } from '../../domain/decimal.ts';
import { given } from '../../domain/given.ts';
import { after, type Instant } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import type { PaymentMethod, TopUpRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { reportingValue } from '../stats/reporting.ts';
import { credit, expireGrant, openAccount } from '../wallets/ledger.ts';
import { openAgain, rememberMethod, SOME_CARD, SOME_REASON, underWay } from './payment-methods.ts';
import type { PaymentOutcome, SettledPayment } from './payments.ts';

/** Settles the payment of a top-up. @assumes A-1101 */
export function settleTopUp(
  context: Context,
  topUp: TopUpRow,
  outcome: PaymentOutcome,
): SettledPayment {
  if (topUp.status === 'succeeded' && outcome.outcome === 'succeeded') return present(topUp, false);
  if (topUp.status === 'succeeded') return violate('payment.none_awaited', 'outcome');
  if (!isPayable(topUp, context.now)) return violate('payment.link_ended', 'outcome');
  switch (outcome.outcome) {
    case 'succeeded':
      return present(completeTopUp(context, topUp, outcome.method), true);
    case 'processing':
      if (topUp.status === 'pending') return present(topUp, false);
      return present(awaitMoney(context, topUp, outcome.method), true);
    case 'failed':
      return present(failTopUp(context, topUp, outcome), true);
    case 'abandoned':
      if (topUp.status === 'pending') return violate('payment.under_way', 'outcome');
      return present(expireTopUp(context, topUp), true);
  }
}

/** Adds the purchased credit and stores the payment method. @assumes, A-1102 */
function completeTopUp(
  context: Context,
  topUp: TopUpRow,
  method: PaymentMethod = underWayMethod(topUp) ?? SOME_CARD,
): TopUpRow {
  const { id, customer_id, owner, description, metadata } = topUp;
  const account = openAccount(context, { id: customer_id, owner }, topUp.asset, topUp.account_name);
  const expires_at = creditEnd(context, topUp);
  const paid = reportingValue(context, topUp.currency, decimal(topUp.amount), context.now);
  const { grant } = credit(context, account, {
    source: 'top_up',
    from: 'external',
    purpose: 'paid',
    amount: decimal(topUp.credit),
    worth: { kind: 'paid', amount: format(paid) },
    expires_at,
    top_up_id: id,
    ...given({ description, metadata }),
  });
  // Credit that expired during the payment is removed immediately.
  if (expires_at !== null && expires_at <= context.now) expireGrant(context, grant);
  rememberMethod(context, customer_id, method);
  const payment = { ...openAgain(topUp.payment), method };
  return context.tables.top_ups.put({ ...topUp, status: 'succeeded', payment });
}

/** Expires the link of an unpaid top-up. @assumes A-1101 */
export const expireTopUp = ({ tables }: Context, topUp: TopUpRow): TopUpRow =>
  tables.top_ups.put({ ...topUp, status: 'expired' });

/** A refused payment can be repeated until the link expires. */
function isPayable({ status, payment }: TopUpRow, now: Instant): boolean {
  if (status === 'failed') return payment.expires_at > now;
  return status === 'initiated' || status === 'pending';
}

function awaitMoney({ tables, now }: Context, topUp: TopUpRow, method?: PaymentMethod): TopUpRow {
  const payment = underWay(topUp.payment, method, now);
  return tables.top_ups.put({ ...topUp, status: 'pending', payment });
}

function failTopUp(
  { tables }: Context,
  topUp: TopUpRow,
  {
    reason = SOME_REASON,
    method = underWayMethod(topUp),
  }: Extract<PaymentOutcome, { readonly outcome: 'failed' }>,
): TopUpRow {
  const payment = { ...openAgain(topUp.payment, reason), ...(method && { method }) };
  return tables.top_ups.put({ ...topUp, status: 'failed', payment });
}

const underWayMethod = ({ status, payment }: TopUpRow): PaymentMethod | undefined =>
  status === 'pending' ? payment.method : undefined;

function creditEnd({ settings, now }: Context, { credit_expires_at }: TopUpRow): Instant | null {
  if (credit_expires_at !== undefined) return credit_expires_at;
  const { top_up_credit_lifetime: lifetime } = settings;
  return lifetime === 'none' ? null : after(now, lifetime);
}

function present(topUp: TopUpRow, changed: boolean): SettledPayment {
  const { id, customer_id, status, return_url, failure_url } = topUp;
  const redirect_url = status === 'failed' || status === 'expired' ? failure_url : return_url;
  return { kind: 'top_up', id, customer_id, status, changed, redirect_url };
}
