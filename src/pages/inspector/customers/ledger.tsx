import { presentLedgerTransaction } from '../../../control/ledger.ts';
import { gainText } from '../../../domain/postings.ts';
import { transactionType } from '../../../resources/wallets/wallets.ts';
import { rowsOf } from '../../../store/query.ts';
import type { TransactionRow } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import { Id } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { recordAddress } from '../find/records.ts';
import { AccountName, CustomerLink, RecordLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import type { List } from '../search/list.ts';
import { customerNames, ofCustomer } from './customers.tsx';

/** All ledger transactions, each with the balance after it. */
export const LEDGER: List<TransactionRow> = {
  section: 'ledger',
  label: 'Transactions',
  rows: ({ world }) => rowsOf(world.tables.transactions),
  narrow: ofCustomer(({ transactions }) => transactions),
  present: presentLedgerTransaction,
  fields: {
    customer: ({ customer_id }, { world }) => customerNames(world, customer_id),
    account: ({ account_id }) => [account_id],
    asset: ({ asset }) => [asset],
    type: (row) => [transactionType(row)],
    source: ({ source }) => [source],
    event: ({ event_id }) => [event_id],
    amount: (row) => [gainText(row)],
    balance: ({ balance_after }) => [balance_after],
    grant: ({ postings }) => postings.map(({ grant_id }) => grant_id),
    id: ({ transaction_id }) => [transaction_id],
  },
  columns: (request) => ({
    '~Customer': ({ customer_id }) => <CustomerLink id={customer_id} />,
    Account: ({ account_id, asset }) => <AccountName id={account_id} asset={asset} />,
    What: (row) => row.source.replaceAll('_', ' '),
    '^#Amount': (row) => (
      <Amount owner={row.owner} amount={gainText(row)} asset={row.asset} isSigned />
    ),
    '#Balance': (row) => <Amount owner={row.owner} amount={row.balance_after} asset={row.asset} />,
    'From → to': (row) => postingsText(row),
    For: (row) => <Cause row={row} />,
    Entry: (row) => (
      <Id id={row.transaction_id} href={recordAddress(request, 'transactions', row)} />
    ),
  }),
  time: { of: (row) => row.created_at },
  chips: [
    { In: 'amount:>0', Out: 'amount:<0', 'Below zero': 'balance:<0', 'Last day': 'after:-1d' },
  ],
  empty: 'No transactions yet. Credit, fees and charges are written here.',
};

export const showLedger = listPage(LEDGER);

const postingsText = ({ postings }: TransactionRow): string =>
  [...new Set(postings.map(({ from, to }) => `${from} → ${to}`))].join(', ');

/** What an entry is for: the event as a link, or the words of who made it. */
function Cause({ row }: { readonly row: TransactionRow }) {
  const { event_id, description, reason, subject } = row;
  if (event_id === undefined) return <Words text={description || reason || subject} />;
  return <RecordLink table="events" row={{ ...row, event_id }} text={subject ?? event_id} />;
}
