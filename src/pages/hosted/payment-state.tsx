import type { Instant } from '../../domain/instant.ts';
import type { PaymentMethod, TopUpRow, TopUpStatus } from '../../store/records.ts';
import { useServiceContext } from '../page.tsx';
import { Badge } from '../parts.tsx';
import { declineText } from './card-form.tsx';
import { checkoutPath } from './checkout.tsx';

export const isPayable = ({ status, payment }: TopUpRow, now: Instant): boolean =>
  (status === 'initiated' || status === 'failed') && payment.expires_at > now;

const STATES: Readonly<Record<TopUpStatus, string>> = {
  initiated: 'not paid yet',
  pending: 'processing',
  succeeded: 'paid',
  failed: 'declined',
  expired: 'expired',
};

/** The status of a top-up, why it was declined, and a link to its payment page while it can still be paid. */
export function TopUpState({ topUp }: { readonly topUp: TopUpRow }) {
  const { now } = useServiceContext();
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
