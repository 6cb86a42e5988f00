import type { Context } from '../../resources/context.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, FeePaymentRow, TopUpRow } from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { TableSection } from '../data-table.tsx';
import { Button } from '../forms.tsx';
import { Badge, Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { money } from '../wording.ts';
import { declineText } from './card-form.tsx';
import { checkoutPath } from './checkout.tsx';
import { isPayable, methodText, TopUpState } from './payment-state.tsx';
import { type Outstanding, outstandingOf, usePortal } from './portal.ts';

const MAX_PAYMENTS = 25;

/** A top-up, or a paid fixed fee. */
type PortalPayment = TopUpRow | FeePaymentRow;

/** Top-ups and fixed fees, newest first. A top-up that can still be paid has a link to its payment page. */
export function Payments() {
  const { context, customer } = usePortal();
  const { top_ups, fee_payments } = context.tables;
  const where = { customer_id: customer.id };
  const payments: PortalPayment[] = [...rowsOf(top_ups, where), ...rowsOf(fee_payments, where)];
  return (
    <TableSection
      id="top-ups"
      title="Payments"
      rows={payments.sort((left, right) => right.seq - left.seq)}
      most={MAX_PAYMENTS}
      time={{ name: 'Day', of: ({ created_at }) => created_at, as: 'day', isDated: true }}
      columns={{
        For: (row) => (isTopUp(row) ? <Bought row={row} /> : <Fee row={row} />),
        'Paid with': (row) => {
          const method = isTopUp(row) ? row.payment.method : row.payment_method;
          return method && methodText(method);
        },
        Status: (row) => (isTopUp(row) ? <TopUpState topUp={row} /> : <Badge text="paid" />),
        '^#Amount': (row) => (
          <span class={isTopUp(row) && row.status !== 'succeeded' ? 'muted' : undefined}>
            <Amount amount={row.amount} asset={row.currency} />
          </span>
        ),
      }}
      empty="No payments yet."
      testId={(row) => (isTopUp(row) ? 'top-up-row' : 'fee-row')}
    />
  );
}

const isTopUp = (row: PortalPayment): row is TopUpRow => 'credit' in row;

interface RowProps<R> {
  readonly row: R;
}

function Bought({ row: { credit, asset, description } }: RowProps<TopUpRow>) {
  return (
    <>
      Credit of <Amount amount={credit} asset={asset} />
      {description !== undefined && (
        <div class="muted">
          <Words text={description} />
        </div>
      )}
    </>
  );
}

/** The products of a fixed fee, as the subscription had them at that time. */
function Fee({ row: { subscription_id, created_at } }: RowProps<FeePaymentRow>) {
  const { context } = usePortal();
  const subscription = context.tables.subscriptions.get(subscription_id);
  const held = subscription?.history.findLast(({ from }) => from <= created_at) ?? subscription;
  const names = versionsOf(context, held?.products ?? []).map(({ name }) => name);
  return <Words text={names.join(', ')} />;
}

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
