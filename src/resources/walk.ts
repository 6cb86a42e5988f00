import type { AskedIndex } from '../state/indexes/kept-indexes.ts';
import type { GroupIndex } from '../state/indexes/row-index.ts';
import { type Resumable, runToEnd } from '../state/resumable.ts';
import { ALL } from '../state/schema.ts';

/** What is answered of a row: whether it fits. */
export type Condition<R> = (row: R) => boolean;

/** So few rows are walked at once, which takes less than a slice. */
const AT_ONCE = 1_000;

/** Whether there are so many rows that walking them for each answer is felt. */
export const areMany = ({ length }: { readonly length: number }): boolean => length > AT_ONCE;

interface OfCustomer {
  readonly customer_id: string;
  readonly subject?: string;
}

/**
 * Divides the rows of one customer, all of them or those about a subject, where they are asked for in parts. There are
 * some now; which they are is asked again where the index is made, as other contents may have come in their place.
 */
export function dividing<R extends OfCustomer>(
  rows: () => readonly R[],
  by: Pick<GroupIndex<R>, 'group' | 'order'> & { readonly name?: string },
  subject?: string,
): AskedIndex<R, GroupIndex<R>> {
  const { customer_id } = rows()[0] as R;
  const isAmong = (row: R) =>
    row.customer_id === customer_id && (subject === undefined || row.subject === subject);
  return {
    name: `of ${customer_id} by ${by.name ?? ''} ${subject ?? ''}`,
    index: () => ({ ...by, key: (row) => (isAmong(row) ? ALL : undefined) }),
    rows,
  };
}

/** What is said of the rows that meet all conditions, of those that are there when it begins. */
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
