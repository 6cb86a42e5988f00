import type { Places } from './sorted-rows.ts';

type Compare<R> = (left: R, right: R) => number;

/** What of one list is yet to come, counted from its start. */
interface Rest<R> {
  readonly rows: Places<R>;
  length: number;
}

/**
 * The last rows of several lists as if they were one, the very last first: those behind an offset. It costs the lists
 * and the rows answered, and of an offset its logarithm.
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
  // Looked up once for each row found, as most lists put forward the same row many times.
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
 * Leaves out rows that are surely among the last so many. Where each list puts forward its row at one place from its
 * end, the last of these and what follows it in its list have fewer behind them than all lists have up to that place.
 */
function leaveOut<R>(rests: readonly Rest<R>[], compare: Compare<R>, count: number): number {
  const step = Math.max(1, Math.floor(count / rests.length));
  const rows = rests.map(({ rows, length }) => rows.at(Math.max(0, length - step)));
  const rest = rests[placeOfLatest(rows, compare)] as Rest<R>;
  const gone = Math.min(step, rest.length);
  rest.length -= gone;
  return gone;
}

/** Where the row stands that comes last of all; nowhere without any. */
function placeOfLatest<R>(rows: readonly (R | undefined)[], compare: Compare<R>): number {
  let found = -1;
  let last: R | undefined;
  rows.forEach((row, place) => {
    if (row === undefined || (last !== undefined && compare(row, last) < 0)) return;
    [found, last] = [place, row];
  });
  return found;
}
