import type { VNode } from 'preact';
import { transactionType } from '../../../resources/wallets/wallets.ts';
import type { TransactionRow } from '../../../state/records.ts';
import type { Columns } from '../../data-table.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { quantity, signed } from '../../wording.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink, EventLink } from '../links.tsx';
import { type List, listPage } from '../listing.tsx';
import { rowsOf } from '../rows.ts';
import { customerNames } from './customers.tsx';

/** The transactions of one customer, each with the balance of its account after it. */
export const CUSTOMER_TRANSACTIONS = {
  label: 'Transactions',
  at: (row) => row.created_at,
  fields: {
    customer: ({ customer_id }, { world }) =>
      customerNames(world.tables.customers.get(customer_id)),
    account: ({ account_id }) => [account_id],
    asset: ({ asset }) => [asset],
    type: (row) => [transactionType(row)],
    source: ({ source }) => [source],
    event: ({ event_id }) => [event_id],
    fee: ({ fee_id }) => [fee_id],
    subject: ({ subject }) => [subject],
    id: ({ transaction_id }) => [transaction_id],
  },
  columns: (request: InspectorRequest, more: Columns<TransactionRow> = {}) => ({
    When: (row) => <Time as="exact" at={row.created_at} />,
    ...more,
    Account: (row) => <Words text={row.account_id} />,
    Source: (row) => row.source.replace('_', ' '),
    '#Amount': ({ owner, amount, asset }) => signed(request.contextOf(owner), amount, asset),
    '#Balance': (row) => quantity(request.contextOf(row.owner), row.balance_after, row.asset),
    'From → to': (row) => postingsText(row),
    For: (row) => <Cause request={request} row={row} />,
  }),
  empty: 'Nothing was moved yet.',
} satisfies List<TransactionRow>;

/** Every movement of money and credit, with the balance it left. */
export const showLedger = listPage<TransactionRow>({
  ...CUSTOMER_TRANSACTIONS,
  section: '/ledger',
  rows: (request) => rowsOf(request, request.world.tables.transactions),
  columns: (request) =>
    CUSTOMER_TRANSACTIONS.columns(request, {
      Customer: ({ customer_id }) => <CustomerLink request={request} id={customer_id} />,
    }),
});

function postingsText({ postings }: TransactionRow): string {
  return [...new Set(postings.map(({ from, to }) => `${from} → ${to}`))].join(', ');
}

interface CauseProps {
  readonly request: InspectorRequest;
  readonly row: TransactionRow;
}

function Cause({ request, row }: CauseProps): VNode {
  const { owner, event_id, description, reason, subject } = row;
  if (event_id === undefined) return <Words text={description ?? reason ?? subject} />;
  return (
    <EventLink request={request} event={{ owner, event_id }}>
      <Words text={subject ?? event_id} />
    </EventLink>
  );
}
