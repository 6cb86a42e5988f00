import type { Context } from '../../resources/context.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, TopUpRow } from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { Button } from '../forms.tsx';
import { Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { money } from '../wording.ts';
import { declineText } from './card-form.tsx';
import { checkoutPath, isPayable } from './checkout.tsx';
import { type Outstanding, outstandingOf, usePortal } from './portal.ts';

/** What the customer has to pay: a declined top-up, and unpaid fixed fees. */
export function Owed() {
  const { context, customer } = usePortal();
  const payments = outstandingOf(context, customer);
  const declined = declinedTopUp(context, customer);
  return (
    <>
      {declined && <Declined topUp={declined} />}
      {payments.length > 0 && (
        <Section id="outstanding" title="Payment required">
          {payments.map((each) => (
            <OutstandingPayment key={each.payment.token} {...each} />
          ))}
        </Section>
      )}
    </>
  );
}

/** The latest top-up of a customer, if it was declined and can still be paid. */
function declinedTopUp({ tables, now }: Context, { id }: CustomerRow): TopUpRow | undefined {
  const latest = rowsOf(tables.top_ups, { customer_id: id }).at(-1);
  return latest?.status === 'failed' && isPayable(latest, now) ? latest : undefined;
}

function Declined({ topUp: { amount, currency, payment } }: { readonly topUp: TopUpRow }) {
  return (
    <div class="notice fail to-pay" role="alert" data-testid="declined">
      <p>
        <b>
          <Amount amount={amount} asset={currency} /> was not paid.
        </b>{' '}
        <span class="refused">{declineText(payment.failure ?? '')}</span> Try again or use another
        card.
      </p>
      <form action={checkoutPath(payment.token)}>
        <Button isMain>Pay again</Button>
      </form>
    </div>
  );
}

function OutstandingPayment({ name, amount, currency, payment }: Outstanding) {
  const isProcessing = payment.status === 'processing';
  return (
    <div class="notice warn to-pay" data-testid="outstanding-payment">
      <p>
        <b>
          <Amount amount={amount} asset={currency} /> to pay
        </b>{' '}
        for <Words text={name} />.{' '}
        {payment.failure !== undefined && (
          <span class="refused">{declineText(payment.failure)} </span>
        )}
        <span class="muted">
          {isProcessing ? (
            'The payment is processing.'
          ) : (
            <>
              The link is valid until <Time at={payment.expires_at} />.
            </>
          )}
        </span>
      </p>
      {!isProcessing && (
        <form action={checkoutPath(payment.token)}>
          <Button isMain>Pay {money(amount, currency)}</Button>
        </form>
      )}
    </div>
  );
}
