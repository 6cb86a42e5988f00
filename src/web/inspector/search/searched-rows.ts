import type { Resumable } from '../../../state/resumable.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List, ReadForSearch } from '../listing.tsx';
import { compileSearch, parseSearch, type Searchable, unknownFields } from './search.ts';

type Texts = readonly string[];

/** So many rows are searched, the newest, unless the page asks for all: a search costs what it looks at. */
export const MOST_SEARCHED = 4_000;

/** A list that is searched for what its page was asked for. */
interface SearchProps<R extends object> {
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

/** So much is cached of one list. */
const MOST_CHARACTERS = 16_000_000;

/** What words are looked for in, by row: rows never change, and one that is deleted takes its texts with it. */
class TextCache {
  #texts = new WeakMap<object, Texts>();
  #characters = 0;

  get(row: object, read: () => Texts): Texts {
    const known = this.#texts.get(row);
    if (known) return known;
    if (this.#characters > MOST_CHARACTERS) {
      this.#texts = new WeakMap();
      this.#characters = 0;
    }
    const texts = read();
    for (const { length } of texts) this.#characters += length;
    this.#texts.set(row, texts);
    return texts;
  }
}

/** The cache of each list, by the fields of the list. */
const CACHES = new WeakMap<object, TextCache>();

/** What a search can look at in the rows of a list. */
export function searchableOf<R extends object>(
  { at, fields, text }: Pick<List<R>, 'at' | 'fields' | 'text'>,
  request: InspectorRequest,
): Searchable<R> {
  const cache = CACHES.get(fields) ?? new TextCache();
  CACHES.set(fields, cache);
  const reads = [text ?? wholeRow, ...Object.values(fields)];
  const ofRow = reads.filter(isOfRow);
  const ofOthers = reads.filter((read) => !isOfRow(read));
  const textsOfRow = (row: R): Texts => {
    const [first = '', ...more] = lowered(ofRow, row, request);
    // A word of a text that stands in another is a word of that.
    return [first, ...more.filter((each) => !first.includes(each))];
  };
  return {
    at,
    valuesOf: (row, field) => {
      const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return read ? lowered([read], row, request) : [];
    },
    finderOf: (word) => (row) => {
      const texts = cache.get(row, () => textsOfRow(row));
      const holds = (each: string): boolean => each.includes(word);
      return texts.some(holds) || lowered(ofOthers, row, request).some(holds);
    },
  };
}

const wholeRow = (row: unknown): Texts => [JSON.stringify(row)];

/** Whether something is read in a row alone. What looks at others takes the request for it. */
const isOfRow = (read: (row: never, request: InspectorRequest) => unknown): boolean =>
  read.length < 2;

/** What is read in a row, in lower case. */
function lowered<R>(reads: readonly ReadForSearch<R>[], row: R, request: InspectorRequest): Texts {
  const texts: string[] = [];
  for (const read of reads)
    for (const value of read(row, request))
      if (value !== undefined) texts.push(value.toLowerCase());
  return texts;
}
