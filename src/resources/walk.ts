import { type Resumable, runToEnd } from '../state/resumable.ts';

/** What is answered of a row: whether it fits. */
export type Condition<R> = (row: R) => boolean;

/** So few rows are walked at once, which takes less than a slice. */
const AT_ONCE = 1_000;

/** Work that walks so many rows: done, or else to be done in slices. */
export function walk<T>(rows: number, work: Resumable<T>): T | Resumable<T> {
  return rows <= AT_ONCE ? runToEnd(work) : work;
}

/** What is said of the rows that meet all conditions, of those that are there when it begins. */
export function replyAbout<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  reply: (found: readonly R[]) => T,
): T | Resumable<T> {
  if (conditions.length === 0) return reply(rows);
  return walk(rows.length, filtering(rows, conditions, reply));
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
