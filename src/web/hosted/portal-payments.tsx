import type { Instant } from '../../domain/instant.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type { FeePaymentRow, PaymentMethod, TopUpRow, TopUpStatus } from '../../state/records.ts';
import { Amount } from '../amount.tsx';
import { DataTable } from '../data-table.tsx';
import { Badge, PageLinks, Section, type Tone, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { checkoutPath } from './checkout-page.tsx';
import { usePortal } from './portal.ts';
import { type PortalPayment, paymentsPage } from './portal-history.ts';

/** Top-ups and fixed fees, newest first; a top-up that can still be paid has its link. */
export function Payments() {
  const { visit, ...portal } = usePortal();
  const { rows, page, pages } = paymentsPage(portal);
  return (
    <Section id="top-ups" title="Payments" isLandmark>
      <DataTable
        label="Payments by date"
        rows={rows}
        columns={{
          For: (row) => (isTopUp(row) ? <Bought row={row} /> : <Fee row={row} />),
          When: ({ created_at }) => <Time at={created_at} />,
          'Paid with': (row) => methodText(isTopUp(row) ? row.payment.method : row.payment_method),
          Status: (row) => <Status row={row} />,
          '^#Amount': ({ amount, currency }) => <Amount amount={amount} asset={currency} />,
        }}
        empty="There are none yet."
        testId={(row) => (isTopUp(row) ? 'top-up-row' : 'fee-row')}
      />
      <PageLinks
        label="Pages of payments"
        page={page}
        pages={pages}
        to={(number) => `${visitPath(visit)}?payments=${number}#top-ups`}
      />
    </Section>
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

/** The products whose fee it was, as the subscription held them then. */
function Fee({ row: { subscription_id, created_at } }: RowProps<FeePaymentRow>) {
  const { context } = usePortal();
  const subscription = context.tables.subscriptions.get(subscription_id);
  const held = subscription?.history.findLast(({ from }) => from <= created_at) ?? subscription;
  const names = versionsOf(context, held?.products ?? []).map(({ name }) => name);
  return <Words text={names.join(', ')} />;
}

const STATUSES: Readonly<Record<TopUpStatus, readonly [text: string, tone: Tone]>> = {
  initiated: ['Not paid yet', 'warn'],
  pending: ['On its way', 'warn'],
  succeeded: ['Paid', 'ok'],
  failed: ['Declined', 'fail'],
  expired: ['Expired', 'none'],
};

function Status({ row }: RowProps<PortalPayment>) {
  const { now } = usePortal().context;
  const [text, tone] = STATUSES[isTopUp(row) ? row.status : 'succeeded'];
  return (
    <>
      <Badge text={text} tone={tone} />{' '}
      {isTopUp(row) && isPayable(row, now) && <a href={checkoutPath(row.payment.token)}>Pay now</a>}
    </>
  );
}

function isPayable({ status, payment }: TopUpRow, now: Instant): boolean {
  return (status === 'initiated' || status === 'failed') && payment.expires_at > now;
}

const METHOD_TEXTS = { card: 'Card', bank_debit: 'Bank debit' } as const;

const methodText = (method: PaymentMethod | undefined): string =>
  method ? `${METHOD_TEXTS[method.kind]} ${method.last4}` : '';
