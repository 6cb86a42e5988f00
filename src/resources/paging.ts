import type { Found } from '../store/query/found.ts';

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

/** Returns a page, newest first, of what a query found. @assumes A-305 */
export function newestFirst<R, T>(
  found: Found<R>,
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const items = found.newest(offset, limit).map(present);
  return { items, total_count: found.length, limit, offset };
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
