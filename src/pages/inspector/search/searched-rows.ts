import type { WorldLocal } from '../../../store/world-local.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List, ReadForSearch } from '../list.ts';
import { GramIndex } from './gram-index.ts';
import type { Searchable } from './search.ts';

type Texts = readonly string[];
/** The texts of each row, by the row's place. */
type Column = (Texts | undefined)[];

/** A search reads only so many of the newest rows, unless the page asks for all. This limits its time. */
export const MAX_SEARCHED = 4_000;

/** The limits of the cache of one list. */
const MOST = { rows: 2 * MAX_SEARCHED, characters: 16_000_000 } as const;

/** The cached texts by column, and their total length. */
class Columns {
  characters = 0;
  readonly #byName = new Map<string, Column>();

  get(name: string, place: number, read: () => Texts): Texts {
    let column = this.#byName.get(name);
    if (!column) {
      column = new Array(MOST.rows);
      this.#byName.set(name, column);
    }
    const known = column[place];
    if (known) return known;
    const texts = read();
    for (const { length } of texts) this.characters += length;
    column[place] = texts;
    return texts;
  }
}

/** The cached texts of one list. Texts of a row alone stay; texts from other rows are valid until the world changes. */
class SearchedRows {
  readonly own = new Columns();
  others = new Columns();
  readonly grams = new GramIndex();
  readonly #rows: unknown[] = [];
  readonly #places = new Map<unknown, number>();
  #last = -1;
  #version: number | undefined;

  get isFull(): boolean {
    const characters = this.own.characters + this.others.characters;
    return this.#rows.length >= MOST.rows || characters >= MOST.characters;
  }

  /** Returns the row's place in the cache for a version of the world; undefined if the cache is full. */
  placeOf(row: unknown, version: number): number | undefined {
    if (this.#version !== version) {
      this.#version = version;
      this.others = new Columns();
    }
    // Rows usually come in the same order as before, so try the next place before the lookup.
    const place = this.#rows[this.#last + 1] === row ? this.#last + 1 : this.#find(row);
    if (place !== undefined) this.#last = place;
    return place;
  }

  #find(row: unknown): number | undefined {
    const known = this.#places.get(row);
    if (known !== undefined || this.isFull) return known;
    this.#places.set(row, this.#rows.length);
    return this.#rows.push(row) - 1;
  }
}

/** The caches of a world, by the `fields` object of each list. */
const SEARCHED: WorldLocal<Map<object, SearchedRows>> = {
  name: 'searched rows',
  open: () => new Map(),
  clear: (kept) => kept.clear(),
};

function keptRows({ world }: InspectorRequest, fields: object): SearchedRows {
  const all = world.local(SEARCHED);
  const known = all.get(fields);
  const kept = known && !known.isFull ? known : new SearchedRows();
  all.set(fields, kept);
  return kept;
}

/** The column with the texts for free words. No field can have this name. */
const WORDS = ' ';

type SearchedList<R extends object> = Pick<List<R>, 'at' | 'fields' | 'text'>;

/** Returns how a search reads the rows of a list, with cached texts. */
export function searchableOf<R extends object>(
  list: SearchedList<R>,
  request: InspectorRequest,
): Searchable<R> {
  const { at, fields, text } = list;
  const kept = keptRows(request, fields);
  const read = wordsOf(list, request, kept);
  // Lists with their own text are short. Their rows, such as requests, must not be kept alive by the cache.
  const placeOf = (row: R) => (text ? undefined : kept.placeOf(row, request.world.version));
  const readerOf = (field: string) => {
    const values = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!values) return () => [];
    const [reads, isOwn] = [[values], isOfRow(values)];
    return (row: R): Texts => {
      const place = placeOf(row);
      if (place === undefined) return lowered(reads, row, request);
      const columns = isOwn ? kept.own : kept.others;
      return columns.get(field, place, () => lowered(reads, row, request));
    };
  };
  const finderOf = (word: string) => {
    const grams = kept.grams.gramsOf(word);
    const holds = (each: string): boolean => each.includes(word);
    return (row: R): boolean => {
      const place = placeOf(row);
      if (place === undefined) return read.all(row).some(holds);
      const own = kept.own.get(WORDS, place, () => read.own(row, place));
      const others = kept.others.get(WORDS, place, () => read.others(row, place));
      return kept.grams.mayHold(place, grams) && (own.some(holds) || others.some(holds));
    };
  };
  return { at, readerOf, finderOf };
}

/** Returns readers of the texts for free words. `own` and `others` also add them to the gram index; `all` does not. */
function wordsOf<R extends object>(
  { fields, text = wholeOf }: SearchedList<R>,
  request: InspectorRequest,
  { grams }: SearchedRows,
) {
  const reads = [text, ...Object.values(fields)];
  const [ofRow, ofOthers] = [reads.filter(isOfRow), reads.filter((read) => !isOfRow(read))];
  const noted = (texts: Texts, place: number): Texts => {
    for (const each of texts) grams.add(place, each);
    return texts;
  };
  return {
    all: (row: R): Texts => lowered(reads, row, request),
    others: (row: R, place: number): Texts => noted(lowered(ofOthers, row, request), place),
    own: (row: R, place: number): Texts => {
      const [first = '', ...more] = lowered(ofRow, row, request);
      // A text inside the first text needs no entry of its own.
      return noted([first, ...more.filter((each) => !first.includes(each))], place);
    },
  };
}

const wholeOf = (row: unknown): string[] => [JSON.stringify(row)];

/** Whether a function reads the row alone. Functions that also read other rows have a second parameter. */
const isOfRow = (read: (row: never, request: InspectorRequest) => unknown): boolean =>
  read.length < 2;

/** Returns the texts of a row in lower case. */
function lowered<R extends object>(
  reads: readonly ReadForSearch<R>[],
  row: R,
  request: InspectorRequest,
): string[] {
  const texts: string[] = [];
  for (const read of reads)
    for (const value of read(row, request))
      if (value !== undefined) texts.push(value.toLowerCase());
  return texts;
}
