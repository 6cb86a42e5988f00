import type { Instant } from '../../domain/instant.ts';
import type { RecordMove } from '../../http/log/exchange.ts';
import type { Context } from '../../resources/context.ts';
import {
  initiateTopUp,
  presentOrderedTopUp,
  type TopUpRequest,
} from '../../resources/payments/top-ups.ts';
import type { PaymentMethod, TopUpRow, TopUpStatus } from '../../store/records.ts';
import { Badge } from '../parts.tsx';
import { declineText } from './card-form.tsx';

/** The path of a payment page, or of one of its forms. */
export const checkoutPath = (token: string, step?: 'pay' | 'confirm' | 'cancel'): string =>
  `/hosted/checkout/${token}${step ? `/${step}` : ''}`;

export const isPayable = ({ status, payment }: TopUpRow, now: Instant): boolean =>
  (status === 'initiated' || status === 'failed') && payment.expires_at > now;

const STATES: Readonly<Record<TopUpStatus, string>> = {
  initiated: 'Not paid yet',
  pending: 'Processing',
  succeeded: 'Paid',
  failed: 'Declined',
  expired: 'Expired',
};

interface TopUpStateProps {
  readonly topUp: TopUpRow;
  readonly now: Instant;
}

/** The status of a top-up, why it was declined, and a link to its payment page while it can still be paid. */
export function TopUpState({ topUp, now }: TopUpStateProps) {
  const { status, payment } = topUp;
  const isFailed = status === 'failed';
  return (
    <>
      <Badge text={STATES[status]} />{' '}
      {isFailed && <span class="refused">{declineText(payment.failure ?? '')}</span>}{' '}
      {isPayable(topUp, now) && (
        <a href={checkoutPath(payment.token)}>{isFailed ? 'Pay again' : 'Pay now'}</a>
      )}
    </>
  );
}

const METHODS = { card: 'Card', bank_debit: 'Bank debit' } as const;

/** What a payment was made with, such as `Card 4242`. */
export const methodText = ({ kind, last4 }: PaymentMethod): string => `${METHODS[kind]} ${last4}`;

/**
 * Orders a top-up from a page and returns the path of its payment page.
 *
 * @throws RuleViolation with everything that is wrong with the order
 */
export function orderTopUp(context: Context, order: TopUpRequest, recordMove: RecordMove): string {
  const { world, owner, baseUrl } = context;
  const topUp = world.commit(() => initiateTopUp(context, order));
  // The real return URL is a page of this visit, which does not exist in another world.
  const body = { ...order, return_url: baseUrl, failure_url: baseUrl };
  const answer = presentOrderedTopUp(topUp, baseUrl);
  recordMove({ world, owner, operation: 'createTopUp', body, status: 201, answer });
  return checkoutPath(topUp.payment.token);
}
