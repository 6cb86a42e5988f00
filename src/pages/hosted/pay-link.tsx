import type { Instant } from '../../domain/instant.ts';
import type { TopUpRow } from '../../store/records.ts';
import { declineText } from './card-form.ts';
import { checkoutPath } from './checkout-page.tsx';

interface PayLinkProps {
  readonly topUp: TopUpRow;
  readonly now: Instant;
}

/** Why a top-up was declined, and a link to its payment page while it can still be paid. */
export function PayLink({ topUp, now }: PayLinkProps) {
  const { payment } = topUp;
  const isFailed = topUp.status === 'failed';
  return (
    <>
      {isFailed && <span class="refused">{declineText(payment.failure ?? '')}</span>}{' '}
      {isPayable(topUp, now) && (
        <a href={checkoutPath(payment.token)}>{isFailed ? 'Pay again' : 'Pay now'}</a>
      )}
    </>
  );
}

export const isPayable = ({ status, payment }: TopUpRow, now: Instant): boolean =>
  (status === 'initiated' || status === 'failed') && payment.expires_at > now;
