import type { VNode } from 'preact';
import { scan } from '../../../store/query.ts';
import type { Columns, RowTime } from '../../data-table.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import type { InspectorSection } from '../sections.tsx';
import {
  compileSearch,
  misunderstood,
  parseSearch,
  type Search,
  type Searchable,
} from './search.ts';

/** Searches by their labels. */
export type Chips = Readonly<Record<string, string>>;

/** A page with a list: its rows, its columns, and what the search finds. */
export interface List<R extends object> extends Searchable<R> {
  readonly section: InspectorSection;
  readonly label: string;
  /** All rows, oldest first. They are shown newest first. */
  readonly rows: (request: InspectorRequest) => readonly R[];
  /** Returns the rows that can match, from an index; undefined if no index fits the search. */
  readonly narrow?: (search: Search, request: InspectorRequest) => readonly R[] | undefined;
  readonly columns: (request: InspectorRequest) => Columns<R>;
  /** The time that rows show, in whose order they are; that of a search, unless it has another. */
  readonly time?: RowTime<R>;
  /** The sort keys of the sortable columns. */
  readonly orders?: Readonly<
    Record<string, (row: R, request: InspectorRequest) => string | number>
  >;
  /** Common searches, in groups. */
  readonly chips?: readonly Chips[];
  /** How many rows there ever were, if older ones are no longer kept. */
  readonly everOf?: (request: InspectorRequest) => number | undefined;
  /** Shown if the list is empty. */
  readonly empty: string;
  /** Returns the object of a row as the interface gives it, for files. */
  readonly present: (row: R, request: InspectorRequest) => object;
  /** Returns more columns of the CSV file. */
  readonly figures?: (row: R, request: InspectorRequest) => object;
  /** Shown beside the heading. */
  readonly actions?: () => VNode;
  /** Shown above the list. */
  readonly before?: () => VNode;
  /** Shown below the list. */
  readonly after?: () => VNode;
}

/** A list with the results of a request. */
export interface Listing<R extends object> extends Searched<R> {
  readonly list: List<R>;
  readonly rows: readonly R[];
  /** The rows of the requested page. */
  readonly shown: readonly R[];
  readonly page: number;
  readonly pages: number;
}

interface Searched<R> {
  readonly found: readonly R[];
  /** Whether older rows were not searched. */
  readonly isCut: boolean;
}

/** Value of the query parameter `search` that searches all rows. */
export const ALL_ROWS = 'all';

/** A page looks at so many rows one by one. A search reads the newest of more rows, unless the page asks for all. */
export const MAX_LOOKED_AT = 2_000;

/** Returns the rows that match the search, among the rows at the start of the search. */
export async function searchList<R extends object>(
  list: List<R>,
  rows: readonly R[],
  request: InspectorRequest,
): Promise<Searched<R>> {
  const search = parseSearch(request.query('q'));
  if (search.terms.length === 0) return { found: rows, isCut: false };
  if (misunderstood(search, Object.keys(list.fields)).length > 0)
    return { found: [], isCut: false };
  const candidates = list.narrow?.(search, request) ?? rows;
  const isCut = request.query('search') !== ALL_ROWS && candidates.length > MAX_LOOKED_AT;
  const fits = rowMatcher(list, search, request);
  const found = await scan(candidates.slice(isCut ? -MAX_LOOKED_AT : 0), fits);
  return { found, isCut };
}

/** Returns a function that tells whether a row of a list matches a search. */
export const rowMatcher = <R extends object>(
  list: List<R>,
  search: Search,
  request: InspectorRequest,
) => compileSearch(search, { ...list, at: list.at ?? list.time?.of }, request);
