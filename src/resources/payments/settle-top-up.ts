import { decimal, format } from '../../domain/decimal.ts';
import { given } from '../../domain/given.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PaymentMethod, PaymentSession, TopUpRow } from '../../store/records.ts';
import { awaitOtherMethod } from '../auto-top-up-watch.ts';
import type { Context } from '../context.ts';
import { reportingValue } from '../revenue/reporting.ts';
import { credit, endOfGrant, openAccount } from '../wallets/ledger.ts';
import type { Payable } from './outcome.ts';

/** The payment of a top-up. @assumes A-1101 */
export function payableTopUp(context: Context, topUp: TopUpRow): Payable {
  const { top_ups } = context.tables;
  return {
    row: topUp,
    state: stateOf(topUp, context.now),
    succeed: (method) => completeTopUp(context, topUp, method),
    process: (payment) => top_ups.put({ ...topUp, status: 'pending', payment }),
    fail: (payment) => failTopUp(context, topUp, payment),
    abandon: () => expireTopUp(context, topUp),
  };
}

/** A refused payment can be repeated until the link expires. */
function stateOf({ status, payment }: TopUpRow, now: Instant): Payable['state'] {
  switch (status) {
    case 'initiated':
      return 'open';
    case 'pending':
      return 'processing';
    case 'succeeded':
      return 'paid';
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
    ...given({ description, metadata }),
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
