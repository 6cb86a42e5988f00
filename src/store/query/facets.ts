import { dayOf } from '../../domain/instant.ts';
import type { EventRow, TaskRow, TransactionRow } from '../records.ts';

/** How rows are grouped: by all that the filters of their lists look at, so that a filter selects whole groups. */
export const FACETS = {
  event: ({ occurred_at, event_type, fees }: EventRow) =>
    `${dayOf(occurred_at)} ${fees.length > 0} ${event_type}`,
  task: ({ created_at, last_updated_at }: TaskRow) =>
    `${dayOf(created_at)} ${dayOf(last_updated_at)}`,
  /** The id of an account contains its asset. */
  transaction: ({ account_id, source }: TransactionRow) => `${source} ${account_id}`,
} as const;
