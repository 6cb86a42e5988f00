import { scan } from '../../../store/query/query.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List, ReadForSearch, Searched } from '../list.ts';
import { compileSearch, misunderstood, parseSearch, type Searchable } from './search.ts';

export interface SearchProps<R extends object> {
  readonly request: InspectorRequest;
  readonly list: List<R>;
  readonly rows: readonly R[];
}

/** Value of the query parameter `search` that searches all rows. */
export const ALL_ROWS = 'all';

/** A search reads only so many of the newest rows, unless the page asks for all. This limits its time. */
export const MAX_SEARCHED = 4_000;

/** Returns the rows that match the search, among the rows at the start of the search. */
export async function searchList<R extends object>({
  request,
  list,
  rows,
}: SearchProps<R>): Promise<Searched<R>> {
  const search = parseSearch(request.query('q'));
  if (search.terms.length === 0) return { found: rows, isCut: false };
  if (misunderstood(search, Object.keys(list.fields)).length > 0)
    return { found: [], isCut: false };
  const candidates = (await list.narrow?.(search, request)) ?? rows;
  const isCut = request.query('search') !== ALL_ROWS && candidates.length > MAX_SEARCHED;
  const fits = compileSearch(search, searchableOf(list, request), request.world.now);
  const found = await scan(candidates.slice(isCut ? -MAX_SEARCHED : 0), fits);
  return { found, isCut };
}

/** Longer lists have no counts beside their chips. */
const MAX_COUNTED = 2_000;

/** Returns how many rows each chip finds, by its search; empty for a long list. */
export function countsOf<R extends object>(
  list: List<R>,
  rows: readonly R[],
  request: InspectorRequest,
): ReadonlyMap<string, number> {
  if (rows.length > MAX_COUNTED) return new Map();
  const searchable = searchableOf(list, request);
  const counts = Object.values(list.chips ?? {}).map((q) => {
    const fits = compileSearch(parseSearch(q), searchable, request.world.now);
    return [q, rows.filter(fits).length] as const;
  });
  return new Map(counts);
}

/** Returns how a search reads the rows of a list. */
export function searchableOf<R extends object>(
  { at, fields, text = wholeOf }: Pick<List<R>, 'at' | 'fields' | 'text'>,
  request: InspectorRequest,
): Searchable<R> {
  const reads = [text, ...Object.values(fields)];
  return {
    at,
    readerOf: (field) => {
      const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return (row) => (read ? lowered(read, row, request) : []);
    },
    finderOf: (word) => (row) =>
      reads.some((read) => lowered(read, row, request).some((each) => each.includes(word))),
  };
}

const wholeOf = (row: unknown): string[] => [JSON.stringify(row)];

/** Returns the texts of a row in lower case. */
const lowered = <R extends object>(
  read: ReadForSearch<R>,
  row: R,
  request: InspectorRequest,
): string[] => read(row, request).flatMap((text) => text?.toLowerCase() ?? []);
