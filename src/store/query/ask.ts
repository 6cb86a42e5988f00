import type { GroupIndex, ListIndex } from '../indexes/row-index.ts';
import type { Row } from '../row.ts';
import type { Table } from '../table.ts';
import { runToCompletion, type TimeSliced } from '../time-sliced.ts';
import { type Found, foundInGroups, foundInRows } from './found.ts';
import { planOf } from './plan.ts';
import type { Condition, Query } from './query.ts';

/**
 * The rows that meet a query, oldest first. They are found
 *
 * - by the index of the schema with most of the fields in `where`;
 * - by the other fields and `fits`, looking at each row, if few are left;
 * - if many are left, by an index that the first such query builds in slices: of groups by `facet`, which `fits` selects
 *   as a whole, or of the rows that `fits` selects, under the name of the query;
 * - if the query has neither, looking at each row, in slices.
 */
export function ask<R extends Row, N extends string, T>(
  table: Table<R, N>,
  query: Query<R>,
  answer: (found: Found<R>) => T,
): T | TimeSliced<T> {
  const { facet, fits = [] } = query;
  const plan = planOf(table, query);
  if (!facet || !plan.areMany || (fits.length === 0 && plan.isComplete))
    return select(table, query, (rows) => answer(foundInRows(rows)));
  const index = (): GroupIndex<R> => ({ ...plan.index, group: facet });
  const name = `${plan.name} in groups`;
  return table.onDemand({ name, index, rows: plan.rows }, (kept) => {
    const { all, compare } = kept.under(plan.key);
    const groups = all.filter((rows) => fits.every((isMet) => isMet(rows.at(0) as R)));
    return answer(foundInGroups(groups, compare));
  });
}

/** The same as a list, of which a page by cursors can be taken. */
export function select<R extends Row, N extends string, T>(
  table: Table<R, N>,
  query: Query<R>,
  answer: (rows: readonly R[]) => T,
): T | TimeSliced<T> {
  const { named, fits = [] } = query;
  const plan = planOf(table, query);
  if (fits.length === 0 && plan.isComplete) return answer(plan.rows());
  if (plan.areMany && named !== undefined) {
    const isWanted = (row: R) => fits.every((isMet) => isMet(row));
    const key = (row: R) => (isWanted(row) ? plan.index.key(row) : undefined);
    const index = (): ListIndex<R> => ({ ...plan.index, key });
    const name = `${plan.name} ${named}`;
    return table.onDemand({ name, index, rows: plan.rows }, (kept) => answer(kept.list(plan.key)));
  }
  const work = filtering([...plan.rows()], [...plan.rest, ...fits], plan.compare, answer);
  return plan.areMany ? work : runToCompletion(work);
}

/** Looks at each of the rows that exist at the start, and sorts what it finds. */
function* filtering<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  compare: ((left: R, right: R) => number) | undefined,
  answer: (found: readonly R[]) => T,
): TimeSliced<T> {
  const found: R[] = [];
  for (const row of rows) {
    if (conditions.every((isMet) => isMet(row))) found.push(row);
    yield;
  }
  return answer(compare ? found.sort(compare) : found);
}
