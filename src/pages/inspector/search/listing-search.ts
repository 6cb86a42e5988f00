import type { TimeSliced } from '../../../store/time-sliced.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List, Searched } from '../list.ts';
import { compileSearch, parseSearch, unknownFields } from './search.ts';
import { MAX_SEARCHED, searchableOf } from './searched-rows.ts';

export interface SearchProps<R extends object> {
  readonly request: InspectorRequest;
  readonly list: List<R>;
  readonly rows: readonly R[];
}

/** Value of the query parameter `search` that searches all rows. */
export const ALL_ROWS = 'all';

/** Rows to search in one step. Most rows are cached, so that a step is short. */
const STEP = 4;

/** Returns the rows that match the search, among the rows at the start of the search. */
export function* searching<R extends object>({
  request,
  list,
  rows,
}: SearchProps<R>): TimeSliced<Searched<R>> {
  const search = parseSearch(request.query('q'));
  if (search.terms.length === 0) return { found: rows, isCut: false };
  if (unknownFields(search, Object.keys(list.fields)).length > 0)
    return { found: [], isCut: false };
  const narrowed = list.narrow?.(search, request) ?? rows;
  const candidates = ('next' in narrowed ? yield* narrowed : narrowed) ?? rows;
  const isCut = request.query('search') !== ALL_ROWS && candidates.length > MAX_SEARCHED;
  const fits = compileSearch(search, searchableOf(list, request), request.world.now);
  const found: R[] = [];
  let looked = 0;
  for (const row of candidates.slice(isCut ? -MAX_SEARCHED : 0)) {
    if (fits(row)) found.push(row);
    looked += 1;
    if (looked % STEP === 0) yield;
  }
  return { found, isCut };
}
