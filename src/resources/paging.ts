import { bisect } from '../domain/collections.ts';
import type { Listed } from '../store/query.ts';
import type { Row } from '../store/row.ts';
import { serialise } from '../text/exact-json.ts';

/** An offset page of rows that are already sorted. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

interface ListPage<T> {
  items: T[];
  total_count: number;
  limit: number;
  offset: number;
}

export const DEFAULT_LIMIT = 100;

/** Returns a page, newest first, of rows. @assumes A-305 */
export function newestFirst<R, T>(
  found: Listed<R>,
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

/** A page of a growing list. The page is identified by the row at its edge, not by an offset. */
interface CursorPageQuery<R> {
  readonly limit: number;
  /** The page of rows older than this row. */
  readonly before?: R | undefined;
  /** The page of newer rows, closest to this row. */
  readonly after?: R | undefined;
}

export interface CursorPage<R> {
  /** Newest first. */
  readonly rows: readonly R[];
  /** The edge rows that have further rows beyond them; undefined if there are none. */
  readonly oldest: R | undefined;
  readonly newest: R | undefined;
}

/** Returns a page of the matching rows of a list, which is sorted oldest first. @assumes A-1205 */
export function cursorPage<R extends Row>(
  list: readonly R[],
  { limit, before, after }: CursorPageQuery<R>,
  fits: (row: R) => boolean,
): CursorPage<R> {
  const older = (start: number, most: number) => collect(list, start, -1, most, fits);
  const newer = (start: number, most: number) => collect(list, start, 1, most, fits);
  // If the list is a subset, it can lack the row itself.
  const below = (row: R) => bisect(list, ({ seq }) => seq < row.seq) - 1;
  const above = (row: R) => bisect(list, ({ seq }) => seq <= row.seq);
  const rows = after
    ? newer(above(after), limit).reverse()
    : older(before ? below(before) : list.length - 1, limit);

  const [newest, oldest] = [rows[0], rows.at(-1)];
  return {
    rows,
    newest: newest && newer(above(newest), 1).length > 0 ? newest : undefined,
    oldest: oldest && older(below(oldest), 1).length > 0 ? oldest : undefined,
  };
}

function collect<R>(
  list: readonly R[],
  start: number,
  step: 1 | -1,
  most: number,
  fits: (row: R) => boolean,
): R[] {
  const rows: R[] = [];
  for (let place = start; place >= 0 && place < list.length && rows.length < most; place += step)
    if (fits(list[place] as R)) rows.push(list[place] as R);
  return rows;
}

/** Maximum size of a page; the next page begins after its last item. @units bytes */
const MAX_BYTES = 4_194_304;

/** As many items as fit into a page, at least one, as they are shown. @assumes A-1405 */
export function pageOfBytes<T, U>(items: readonly T[], present: (item: T) => U): U[] {
  const page: U[] = [];
  let bytes = 0;
  for (const item of items) {
    const shown = present(item);
    bytes += Buffer.byteLength(serialise(shown).text);
    if (bytes > MAX_BYTES && page.length > 0) break;
    page.push(shown);
  }
  return page;
}
