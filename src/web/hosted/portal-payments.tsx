import type { VNode } from 'preact';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  FeePaymentRow,
  PaymentMethod,
  PortalVisitRow,
  TopUpRow,
  TopUpStatus,
} from '../../state/records.ts';
import { Amount } from '../amount.tsx';
import { Badge, type Tone } from '../badge.tsx';
import { DataTable } from '../data-table.tsx';
import { PageLinks } from '../page-links.tsx';
import { Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { checkoutPath } from './checkout-page.tsx';
import type { HistoryPage, PortalPayment } from './portal-history.ts';

interface PaymentsProps {
  readonly context: Context;
  readonly visit: PortalVisitRow;
  readonly payments: HistoryPage<PortalPayment>;
}

/** Top-ups and fixed fees, newest first; a top-up that can still be paid has its link. */
export function Payments({
  context,
  visit,
  payments: { rows, page, pages },
}: PaymentsProps): VNode {
  return (
    <Section id="top-ups" title="Payments" isLandmark>
      <DataTable
        label="Payments by date"
        rows={rows}
        columns={{
          For: (row) =>
            isTopUp(row) ? <Bought {...{ context, row }} /> : <Fee {...{ context, row }} />,
          When: ({ created_at }) => <Time at={created_at} />,
          'Paid with': (row) => methodText(isTopUp(row) ? row.payment.method : row.payment_method),
          Status: (row) => <Status context={context} row={row} />,
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
  readonly context: Context;
  readonly row: R;
}

/** What a top-up buys, and what it is for. */
function Bought({ context, row: { credit, asset, description } }: RowProps<TopUpRow>): VNode {
  return (
    <>
      Credit of <Amount context={context} amount={credit} asset={asset} />
      {description !== undefined && (
        <div class="muted">
          <Words text={description} />
        </div>
      )}
    </>
  );
}

/** The products whose fee it was, as the subscription held them then. */
function Fee({ context, row: { subscription_id, created_at } }: RowProps<FeePaymentRow>): VNode {
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

function Status({ context, row }: RowProps<PortalPayment>): VNode {
  const [text, tone] = STATUSES[isTopUp(row) ? row.status : 'succeeded'];
  return (
    <>
      <Badge text={text} tone={tone} />{' '}
      {isTopUp(row) && isPayable(context, row) && (
        <a href={checkoutPath(row.payment.token)}>Pay now</a>
      )}
    </>
  );
}

function isPayable({ now }: Context, { status, payment }: TopUpRow): boolean {
  return (status === 'initiated' || status === 'failed') && payment.expires_at > now;
}

const METHOD_TEXTS = { card: 'Card', bank_debit: 'Bank debit' } as const;

const methodText = (method: PaymentMethod | undefined): string =>
  method ? `${METHOD_TEXTS[method.kind]} ${method.last4}` : '';
