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
  while (found.length < limit) {
    const rest = latest(rests, compare, 1);
    if (!rest) break;
    rest.length -= 1;
    found.push(rest.rows.at(rest.length) as R);
  }
  return found;
}

/**
 * Leaves out rows that are surely among the last so many. Where each list puts forward its row at one place from its
 * end, the last of these and what follows it in its list have fewer behind them than all lists have up to that place.
 */
function leaveOut<R>(rests: readonly Rest<R>[], compare: Compare<R>, count: number): number {
  const step = Math.max(1, Math.floor(count / rests.length));
  const rest = latest(rests, compare, step) as Rest<R>;
  const gone = Math.min(step, rest.length);
  rest.length -= gone;
  return gone;
}

/** The list whose row at a place from its end, or else its first, comes last of all. */
function latest<R>(
  rests: readonly Rest<R>[],
  compare: Compare<R>,
  step: number,
): Rest<R> | undefined {
  let found: Rest<R> | undefined;
  let last: R | undefined;
  for (const rest of rests) {
    const row = rest.rows.at(Math.max(0, rest.length - step));
    if (rest.length === 0 || (found && compare(row as R, last as R) < 0)) continue;
    [found, last] = [rest, row as R];
  }
  return found;
}
