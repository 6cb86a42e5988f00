import {
  type Decimal,
  type DecimalText,
  decimal,
  format,
  isZero,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { given } from '../../domain/fields.ts';
import { dayOf, type Instant } from '../../domain/instant.ts';
import type {
  Posting,
  TransactionRow,
  TransactionSource,
  WalletAccountRow,
} from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { recordRevenue } from '../revenue/revenue.ts';

/** The fields of a transaction besides its postings. */
export interface TransactionNotes {
  /** The caller's id; by default a new one. */
  readonly transaction_id?: string;
  readonly source: TransactionSource;
  readonly reason?: string;
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly event_id?: string;
  readonly fee_id?: string;
  readonly top_up_id?: string;
  readonly requested_at?: Instant;
  readonly content?: string;
}

/** Stores a transaction of an account; `balance_after` is the balance after it. */
export function recordTransaction(
  context: Context,
  account: WalletAccountRow,
  postings: readonly Posting[],
  balance_after: DecimalText,
  notes: TransactionNotes,
): TransactionRow {
  const { tables, world, now } = context;
  // The revenue of a fee is already counted with its event.
  if (notes.fee_id === undefined) countRevenue(context, account.customer_id, postings);
  const transaction_id = notes.transaction_id ?? world.nextUuid('transaction', account.owner);
  const { reason, subject, description, metadata, event_id, fee_id, top_up_id } = notes;
  const { requested_at, content } = notes;
  return tables.transactions.put({
    id: uuidKey(account.customer_id, transaction_id),
    seq: world.nextSeq(),
    owner: account.owner,
    created_at: now,
    transaction_id,
    source: notes.source,
    customer_id: account.customer_id,
    account_id: account.account_id,
    asset: account.asset,
    balance_after,
    postings,
    // Separate spreads save memory: each reserves space in the object for one more field.
    ...given({ reason, subject, description, metadata }),
    ...given({ event_id, fee_id, top_up_id }),
    ...given({ requested_at, content }),
  });
}

/** The revenue of a transaction as text; a single posting shares its text. */
export function revenueText(transaction: Pick<TransactionRow, 'postings'>): DecimalText {
  const [first, ...others] = transaction.postings;
  return others.length === 0 ? (first?.revenue ?? '0') : format(revenueOf(transaction));
}

/** The revenue of a transaction. @units the reporting currency */
const revenueOf = ({ postings }: Pick<TransactionRow, 'postings'>): Decimal =>
  sum(postings.map(({ revenue = '0' }) => decimal(revenue)));

function countRevenue(context: Context, customerId: string, postings: readonly Posting[]): void {
  const revenue = revenueOf({ postings });
  if (!isZero(revenue)) recordRevenue(context, customerId, dayOf(context.now), revenue, ZERO);
}
