import { given } from '../../domain/given.ts';
import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import type { PaymentSession, SubscriptionRow, TopUpRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { TEST_ACCOUNT, TEST_CARD } from '../customers/payment-method.ts';
import { notFound } from '../problems.ts';
import { collectUnpaid } from '../subscriptions/subscription-payment.ts';
import type { Payable, PaymentOutcome, SettledPayment } from './outcome.ts';
import { replaceMethod } from './payment-methods.ts';
import { payableSubscription } from './settle-subscription.ts';
import { payableTopUp } from './settle-top-up.ts';

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
 * @throws RuleViolation `payment.none_awaited`, `payment.link_ended` and `payment.under_way` on `outcome`
 * @assumes A-604, A-1101, A-1103, A-1105
 */
export function completePayment(
  context: Context,
  idOrToken: string,
  outcome: PaymentOutcome,
): SettledPayment {
  const row = findPayable(context, idOrToken) ?? notFound();
  const own = { ...context, owner: row.owner };
  const payable =
    'credit' in row ? payableTopUp(own, row) : payableSubscription(own, row, idOrToken);
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
      return isProcessing ? violate('payment.under_way', 'outcome') : payable.abandon();
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
  return { kind, id, customer_id, status, changed, ...given({ redirect_url }) };
}
