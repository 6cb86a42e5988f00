import type { Places } from './sorted-rows.ts';

type Compare<R> = (left: R, right: R) => number;

/** The rows at the start of a list that are not taken yet. */
interface Rest<R> {
  readonly rows: Places<R>;
  length: number;
}

/**
 * A page of several sorted lists merged into one, in descending order. It takes time proportional to the number of lists
 * and of rows in the page, and to the logarithm of the offset.
 */
export function lastOfAll<R>(
  lists: readonly Places<R>[],
  compare: Compare<R>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): R[] {
  let rests = lists.map((rows): Rest<R> => ({ rows, length: rows.length }));
  for (let left = offset; left > 0; ) {
    rests = rests.filter(({ length }) => length > 0);
    if (rests.length === 0) return [];
    left -= leaveOut(rests, compare, left);
  }
  const found: R[] = [];
  // Cached, as the last row of most lists stays the same while those of others are taken.
  const lasts = rests.map(lastOf);
  while (found.length < limit) {
    const place = placeOfLatest(lasts, compare);
    const rest = rests[place];
    if (!rest) break;
    found.push(lasts[place] as R);
    rest.length -= 1;
    lasts[place] = lastOf(rest);
  }
  return found;
}

const lastOf = <R>({ rows, length }: Rest<R>): R | undefined =>
  length > 0 ? rows.at(length - 1) : undefined;

/**
 * Skips rows that are surely among the last `count`. Of the rows at `step` from the end of each list, take the last one:
 * fewer than `count` rows of all lists come after it, so it and its successors in its list can be skipped.
 */
function leaveOut<R>(rests: readonly Rest<R>[], compare: Compare<R>, count: number): number {
  const step = Math.max(1, Math.floor(count / rests.length));
  const rows = rests.map(({ rows, length }) => rows.at(Math.max(0, length - step)));
  const rest = rests[placeOfLatest(rows, compare)] as Rest<R>;
  const gone = Math.min(step, rest.length);
  rest.length -= gone;
  return gone;
}

/** The position of the row that comes last; -1 without any. */
function placeOfLatest<R>(rows: readonly (R | undefined)[], compare: Compare<R>): number {
  let found = -1;
  let last: R | undefined;
  rows.forEach((row, place) => {
    if (row === undefined || (last !== undefined && compare(row, last) < 0)) return;
    [found, last] = [place, row];
  });
  return found;
}
