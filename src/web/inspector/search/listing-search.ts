import type { Resumable } from '../../../state/resumable.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List } from '../listing.tsx';
import { compileSearch, parseSearch, unknownFields } from './search.ts';
import { MOST_SEARCHED, searchableOf } from './searched-rows.ts';

/** A list that is searched for what its page was asked for. */
export interface SearchProps<R extends object> {
  readonly request: InspectorRequest;
  readonly list: List<R>;
  readonly rows: readonly R[];
}

/** Fewer rows to search, at once or after some work; undefined where there is no index for it. */
export type Narrowed<R> = readonly R[] | undefined | Resumable<readonly R[] | undefined>;

export interface Searched<R> {
  readonly found: readonly R[];
  /** Whether older rows were left out. */
  readonly isCut: boolean;
}

/** What the parameter `search` of a page says that asks for all. */
export const ALL_ROWS = 'all';

/** So many rows are looked at in one step, as most are known. */
const STEP = 4;

/** The rows that fit the search, of those that are there when it begins. */
export function* searching<R extends object>({
  request,
  list,
  rows,
}: SearchProps<R>): Resumable<Searched<R>> {
  const search = parseSearch(request.query('q'));
  if (search.terms.length === 0) return { found: rows, isCut: false };
  if (unknownFields(search, Object.keys(list.fields)).length > 0)
    return { found: [], isCut: false };
  const narrowed = list.narrow?.(search, request) ?? rows;
  const candidates = ('next' in narrowed ? yield* narrowed : narrowed) ?? rows;
  const isCut = request.query('search') !== ALL_ROWS && candidates.length > MOST_SEARCHED;
  const fits = compileSearch(search, searchableOf(list, request), request.world.now);
  const found: R[] = [];
  let looked = 0;
  for (const row of candidates.slice(isCut ? -MOST_SEARCHED : 0)) {
    if (fits(row)) found.push(row);
    looked += 1;
    if (looked % STEP === 0) yield;
  }
  return { found, isCut };
}
