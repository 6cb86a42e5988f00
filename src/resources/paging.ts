/** Offset pages over rows that already stand in the order of the list. */
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

const DEFAULT_LIMIT = 100;

/**
 * The page of a list that stands oldest first and is answered newest first.
 *
 * @assumes A-305
 */
export function newestFirst<R, T>(
  rows: readonly R[],
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const items: T[] = [];
  const last = rows.length - 1 - offset;
  for (let place = last; place >= 0 && place > last - limit; place -= 1)
    items.push(present(rows[place] as R));
  return { items, total_count: rows.length, limit, offset };
}

/** The page of a list in its own order. */
export function inOrder<R, T>(
  rows: readonly R[],
  { limit = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  present: (row: R) => T,
): ListPage<T> {
  const items = rows.slice(offset, offset + limit).map(present);
  return { items, total_count: rows.length, limit, offset };
}
