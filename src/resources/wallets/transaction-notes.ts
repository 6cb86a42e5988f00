import type { Instant } from '../../domain/instant.ts';
import type { TransactionRow, TransactionSource } from '../../state/records.ts';

/** What a transaction says of itself beside its postings. */
export interface TransactionNotes {
  /** The caller's id, else one is made. */
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

const NOTES = [
  'reason',
  'subject',
  'description',
  'metadata',
  'event_id',
  'fee_id',
  'top_up_id',
  'requested_at',
  'content',
] as const;

/** The row with what was noted, written into it as rows are many and most notes are absent. */
export function withNotes(notes: TransactionNotes, row: TransactionRow): TransactionRow {
  const noted: Record<string, unknown> = row as never;
  for (const name of NOTES) if (notes[name] !== undefined) noted[name] = notes[name];
  return row;
}
