import { type DecimalText, format, negate } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import { gainOf } from '../../domain/postings.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/links.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf } from '../../store/query.ts';
import type {
  EventRow,
  FeePaymentRow,
  FeeTerms,
  TopUpRow,
  TransactionRow,
} from '../../store/records.ts';
import { Amount } from '../amount.tsx';
import { type Columns, TableSection } from '../data-table.tsx';
import { fieldText } from '../forms.tsx';
import { Badge, PageLinks, pageOf, Words } from '../parts.tsx';
import { feeExplanation } from '../prices.tsx';
import { pairsText } from '../wording.ts';
import { methodText, TopUpState } from './checkout.tsx';
import { usePortal } from './portal.ts';

const PER_PAGE = 25;

/**
 * Returns the requested page of a customer's rows, newest first, with links to the other pages. `name` is the query
 * parameter of the page number.
 */
function useHistory<R extends { readonly seq: number }>(
  name: 'usage' | 'payments',
  section: string,
  lists: readonly (readonly R[])[],
) {
  const { link, query } = usePortal();
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const { page, pages } = pageOf(count, PER_PAGE, fieldText(query, name));
  const end = page * PER_PAGE;
  // Each list is in order of creation, so older rows cannot be on the page.
  const rows = lists
    .flatMap((list) => list.slice(-end))
    .sort((left, right) => right.seq - left.seq)
    .slice(end - PER_PAGE, end);
  const to = (number: number) => `${visitPath(link)}?${name}=${number}#${section}`;
  return {
    rows,
    links: <PageLinks label={`Pages of ${name}`} page={page} pages={pages} to={to} />,
  };
}

/** A usage event, or a charge by the seller. */
type PortalUsage = EventRow | TransactionRow;

/** Usage, newest first, with the calculation of each fee. */
export function UsageHistory() {
  const { context, customer, charges } = usePortal();
  const used = rowsOf(context.tables.events, { customer_id: customer.id });
  const { rows, links } = useHistory<PortalUsage>('usage', 'usage', [used, charges]);
  return (
    <TableSection
      id="usage"
      title="Usage"
      rows={rows.flatMap((row) => linesOf(context, row))}
      columns={COLUMNS}
      time={{ of: ({ at }) => at }}
      empty="No usage yet."
      testId="usage-row"
    >
      {links}
    </TableSection>
  );
}

/** A fee of an event, a charge, or an event without a fee. */
interface UsageLine {
  readonly at: Instant;
  readonly subject: string | undefined;
  readonly what: string;
  readonly product?: string;
  readonly explanation?: string;
  readonly fee?: { readonly amount: DecimalText; readonly asset: string };
}

const COLUMNS: Columns<UsageLine> = {
  What: ({ what }) => <Words text={what} />,
  Subject: ({ subject }) => <Words text={subject} />,
  Product: ({ product }) => <Words text={product} />,
  Calculation: ({ explanation }) => explanation,
  '^#Fee': ({ fee }) => (fee ? <Amount {...fee} /> : 'No fee'),
};

function linesOf(context: Context, usage: PortalUsage): UsageLine[] {
  if (!('fees' in usage)) {
    const { created_at, subject, description = 'Charge', asset } = usage;
    const explanation = 'Charged by the seller';
    const fee = { amount: format(negate(gainOf(usage))), asset };
    return [{ at: created_at, subject, what: description, explanation, fee }];
  }
  const { occurred_at, subject, description, event_type, fees } = usage;
  const event = { at: occurred_at, subject, what: description || event_type };
  if (fees.length === 0) return [event];
  return fees.map((fee) => ({
    ...event,
    product: `${productName(context, fee.terms)}: ${fee.terms.price_name}`,
    explanation: [feeExplanation(context, fee), pairsText(fee.terms.dimensions)]
      .filter(Boolean)
      .join('; '),
    fee: { amount: fee.amount, asset: fee.terms.currency },
  }));
}

function productName({ tables }: Context, { product_id, product_code }: FeeTerms): string {
  const versions = rowsOf(tables.versions, { product_id });
  return versions.at(-1)?.name ?? product_code;
}

/** A top-up, or a paid fixed fee. */
type PortalPayment = TopUpRow | FeePaymentRow;

/** Top-ups and fixed fees, newest first. A top-up that can still be paid has a link to its payment page. */
export function Payments() {
  const { context, customer } = usePortal();
  const { top_ups, fee_payments } = context.tables;
  const { rows, links } = useHistory<PortalPayment>('payments', 'top-ups', [
    rowsOf(top_ups, { customer_id: customer.id }),
    rowsOf(fee_payments, { customer_id: customer.id }),
  ]);
  return (
    <TableSection
      id="top-ups"
      title="Payments"
      rows={rows}
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
    >
      {links}
    </TableSection>
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
