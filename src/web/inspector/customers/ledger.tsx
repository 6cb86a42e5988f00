import { transactionType } from '../../../resources/wallets/wallets.ts';
import type { TransactionRow } from '../../../state/records.ts';
import type { PageAnswer } from '../../answer.ts';
import { Words } from '../../sections.tsx';
import { quantity, signed } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { CustomerLink, WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';
import { customerNames } from './customers.tsx';

const FIELDS = ['customer', 'account', 'asset', 'type', 'source', 'event', 'fee', 'subject', 'id'];

/** Every movement of money and credit, with the balance it left. */
export function showLedger(request: InspectorRequest): PageAnswer {
  return {
    page: (
      <InspectorPage request={request} section="/ledger">
        <TransactionListing
          request={request}
          path="/ledger"
          rows={rowsOf(request, request.world.tables.transactions)}
          withCustomer={true}
        />
      </InspectorPage>
    ),
  };
}

interface TransactionListingProps {
  readonly request: InspectorRequest;
  readonly path: string;
  readonly rows: readonly TransactionRow[];
  readonly withCustomer: boolean;
}

/** Transactions, newest first, each with the balance of its account after it. */
export function TransactionListing({ request, path, rows, withCustomer }: TransactionListingProps) {
  const customers = withCustomer ? ['Customer'] : [];
  return (
    <Listing
      request={request}
      path={path}
      label="Transactions"
      rows={rows}
      fields={FIELDS}
      subjectOf={(row) => subjectOf(request, row)}
      headings={[
        'When',
        ...customers,
        'Account',
        'Source',
        '#Amount',
        '#Balance',
        'From → to',
        'For',
      ]}
      cells={(row) => [
        <WorldTime key="at" at={row.created_at} />,
        ...(withCustomer ? [<CustomerLink key="of" request={request} id={row.customer_id} />] : []),
        <Words key="account" text={row.account_id} />,
        row.source.replace('_', ' '),
        signed(request.contextOf(row.owner), row.amount, row.asset),
        quantity(request.contextOf(row.owner), row.balance_after, row.asset),
        <Postings key="postings" row={row} />,
        <Cause key="cause" request={request} row={row} />,
      ]}
      empty="Nothing was moved yet."
    />
  );
}

function subjectOf(request: InspectorRequest, row: TransactionRow) {
  return {
    at: row.created_at,
    fields: {
      customer: customerNames(request.world.tables.customers.get(row.customer_id)),
      account: [row.account_id],
      asset: [row.asset],
      type: [transactionType(row)],
      source: [row.source],
      event: [row.event_id],
      fee: [row.fee_id],
      subject: [row.subject],
      id: [row.transaction_id],
    },
    text: () => JSON.stringify(row),
  };
}

function Postings({ row }: { readonly row: TransactionRow }) {
  const routes = new Set(row.postings.map(({ from, to }) => `${from} → ${to}`));
  return <>{[...routes].join(', ')}</>;
}

function Cause({
  request,
  row,
}: {
  readonly request: InspectorRequest;
  readonly row: TransactionRow;
}) {
  const { event_id, description, reason, subject } = row;
  if (event_id === undefined) return <Words text={description ?? reason ?? subject} />;
  const event = request.link(`/events/${encodeURIComponent(event_id)}`, { owner: row.owner });
  return (
    <a href={event}>
      <Words text={subject ?? event_id} />
    </a>
  );
}
