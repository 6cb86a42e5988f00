import { lastOfAll } from '../store/indexes/last-of-all.ts';
import type { Groups } from '../store/indexes/row-index.ts';
import type { Places } from '../store/indexes/sorted-rows.ts';

/** An offset page of rows that are already sorted. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

export interface ListPage<T> {
  items: T[];
  total_count: number;
  limit: number;
  offset: number;
}

export const DEFAULT_LIMIT = 100;

/** Returns a page, newest first, of a list that is sorted oldest first. @assumes A-305 */
export function newestFirst<R, T>(
  rows: Places<R>,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const items: T[] = [];
  const last = rows.length - 1 - offset;
  for (let place = last; place >= 0 && place > last - limit; place -= 1)
    items.push(present(rows.at(place) as R));
  return { items, total_count: rows.length, limit, offset };
}

/** The same for a list in groups. `fits` gives the same result for all rows of a group. @assumes A-305 */
export function newestOfGroups<R, T>(
  { all, compare }: Groups<R>,
  fits: (row: R) => boolean,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const parts = all.filter((rows) => fits(rows.at(0) as R));
  const items = lastOfAll(parts, compare, { offset, limit }).map(present);
  const total_count = parts.reduce((total, { length }) => total + length, 0);
  return { items, total_count, limit, offset };
}

/** Returns a page of a list in its own order. */
export function inOrder<R, T>(
  rows: readonly R[],
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const items = rows.slice(offset, offset + limit).map(present);
  return { items, total_count: rows.length, limit, offset };
}
