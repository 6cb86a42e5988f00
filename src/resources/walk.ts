import type { OnDemandIndex } from '../store/indexes/kept-indexes.ts';
import type { GroupIndex } from '../store/indexes/row-index.ts';
import { type Resumable, runToEnd } from '../store/resumable.ts';
import { ALL } from '../store/schema.ts';

export type Condition<R> = (row: R) => boolean;

/*
 * How a list finds its rows. Without filters it takes them from an index of the schema. With filters it:
 * - scans the rows of one customer or the like, in slices if they are many (`replyAbout`);
 * - selects whole groups of an index by `FACETS`, instead of looking at each row (`newestOfGroups`);
 * - uses an on-demand index where neither fits: one customer's many rows in groups (`dividing`), or a part of a name
 *   (`askForNamed`);
 * - takes customers in order, with their sums, from an on-demand `StandingIndex` (`stats.ts`, `subscribers.ts`).
 */

/** The maximum number of rows to scan at once; a scan takes less than a time slice. */
const AT_ONCE = 1_000;

/** Whether a scan of the rows for each response would be noticeably slow. */
export const areMany = ({ length }: { readonly length: number }): boolean => length > AT_ONCE;

interface OfCustomer {
  readonly customer_id: string;
  readonly subject?: string;
}

/**
 * An index that groups the rows of one customer, or only those with a subject. `rows` must not be empty. It is
 * called again when the index is built, since the contents can have been replaced.
 */
export function dividing<R extends OfCustomer>(
  rows: () => readonly R[],
  by: Pick<GroupIndex<R>, 'group' | 'order'> & { readonly name?: string },
  subject?: string,
): OnDemandIndex<R, GroupIndex<R>> {
  const { customer_id } = rows()[0] as R;
  const isAmong = (row: R) =>
    row.customer_id === customer_id && (subject === undefined || row.subject === subject);
  return {
    name: `of ${customer_id} by ${by.name ?? ''} ${subject ?? ''}`,
    index: () => ({ ...by, key: (row) => (isAmong(row) ? ALL : undefined) }),
    rows,
  };
}

/** Replies with the rows that match all conditions, of those that exist at the start. */
export function replyAbout<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  reply: (found: readonly R[]) => T,
): T | Resumable<T> {
  if (conditions.length === 0) return reply(rows);
  const work = filtering(rows, conditions, reply);
  return areMany(rows) ? work : runToEnd(work);
}

function* filtering<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  reply: (found: readonly R[]) => T,
): Resumable<T> {
  const fits = meetsAll(conditions);
  const found: R[] = [];
  for (const row of [...rows]) {
    if (fits(row)) found.push(row);
    yield;
  }
  return reply(found);
}

export const meetsAll =
  <R>(conditions: readonly Condition<R>[]): Condition<R> =>
  (row) =>
    conditions.every((isMet) => isMet(row));
