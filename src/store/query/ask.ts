import type { GroupIndex, ListIndex } from '../indexes/row-index.ts';
import type { Row } from '../row.ts';
import type { Table } from '../table.ts';
import { runTimeSliced, type TimeSliced } from '../time-sliced.ts';
import { type Found, foundInGroups, foundInRows } from './found.ts';
import { planOf, type QueryPlan } from './plan.ts';
import type { Condition, Query } from './query.ts';

/**
 * Calls `answer` with the rows that meet a query: at once if few are looked at, else when they are found, in slices. They
 * are found
 *
 * - by the index of the schema with most of the fields in `where`;
 * - by the other values and `fits`, looking at each row, if few are left;
 * - if many are left, by an index that the first such query builds: of groups by `facet`, which `fits` selects as a whole,
 *   or of the rows with the same values, which `fits` selects if it is named;
 * - by what is left of `fits`, looking at each row.
 */
export function ask<R extends Row, N extends string, T>(
  table: Table<R, N>,
  query: Query<R>,
  answer: (found: Found<R>) => T,
): T | Promise<T> {
  const { facet, fits = [] } = query;
  const plan = planOf(table, query);
  if (!facet || !plan.areMany || (fits.length === 0 && plan.isComplete))
    return select(table, query, (rows) => answer(foundInRows(rows)));
  return runTimeSliced(askingGroups(table, plan, { ...query, facet }, answer));
}

/** Finds rows in groups, as slices of work. */
export function askingGroups<R extends Row, N extends string, T>(
  table: Table<R, N>,
  plan: QueryPlan<R>,
  { facet, fits = [] }: Query<R> & Required<Pick<Query<R>, 'facet'>>,
  answer: (found: Found<R>) => T,
): TimeSliced<T> {
  const index = (): GroupIndex<R> => ({ ...plan.index, group: facet as (row: R) => string });
  const name = `${plan.name} in groups`;
  return table.onDemand({ name, index, rows: plan.rows }, (kept) => {
    const { all, compare } = kept.under(plan.key);
    const groups = all.filter((rows) => fits.every((isMet) => isMet(rows.at(0) as R)));
    return answer(foundInGroups(groups, compare));
  });
}

/** The same as a list in the order of the query, of which a page by cursors can be taken. */
export function select<R extends Row, N extends string, T>(
  table: Table<R, N>,
  query: Query<R>,
  answer: (rows: readonly R[]) => T,
): T | Promise<T> {
  const { named, fits = [] } = query;
  const plan = planOf(table, query);
  if (fits.length === 0 && plan.isComplete) return answer(plan.rows());
  if (!plan.areMany || (plan.isComplete && named === undefined))
    return runTimeSliced(filtering(plan.rows(), [plan.hasValues, ...fits], plan, answer));
  return runTimeSliced(selecting(table, plan, query, answer));
}

function* selecting<R extends Row, N extends string, T>(
  table: Table<R, N>,
  plan: QueryPlan<R>,
  { named = '', fits = [] }: Query<R>,
  answer: (rows: readonly R[]) => T,
): TimeSliced<T> {
  const isOfIndex = (row: R) => named === '' || fits.every((isMet) => isMet(row));
  const key = (row: R) => (isOfIndex(row) ? plan.index.key(row) : undefined);
  const index = (): ListIndex<R> => ({ ...plan.index, key });
  const name = `${plan.name} ${named}`;
  const rows = yield* table.onDemand({ name, index, rows: plan.rows }, (kept) =>
    kept.list(plan.key),
  );
  if (named !== '' || fits.length === 0) return answer(rows);
  return yield* filtering(rows, fits, { compare: undefined }, answer);
}

/** Looks at each of the rows that exist at the start, and sorts what it finds. */
function* filtering<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  { compare }: Pick<QueryPlan<R>, 'compare'>,
  answer: (found: readonly R[]) => T,
): TimeSliced<T> {
  const found: R[] = [];
  for (const row of [...rows]) {
    if (conditions.every((isMet) => isMet(row))) found.push(row);
    yield;
  }
  return answer(compare ? found.sort(compare) : found);
}

/** The given rows that meet a condition, of any list; in slices, if a look at each takes long. */
export const scan = <R>(
  rows: readonly R[],
  isWanted: Condition<R>,
): readonly R[] | Promise<readonly R[]> =>
  runTimeSliced(filtering(rows, [isWanted], { compare: undefined }, (found) => found));
