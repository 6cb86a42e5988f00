import { GramIndex } from '../../../state/indexes/gram-index.ts';
import type { WorldLocal } from '../../../state/world-local.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List } from '../listing.tsx';
import type { Searchable } from './search.ts';

type Texts = readonly string[];
/** By the place of a row. */
type Column = (Texts | undefined)[];
type SearchedList<R> = Pick<List<R>, 'at' | 'fields' | 'text'>;

/** So many rows are searched, the newest, unless the page asks for all: a search costs what it looks at. */
export const MOST_SEARCHED = 4_000;

/** So much is kept of one list; of further rows nothing is. */
const MOST = { rows: 2 * MOST_SEARCHED, characters: 16_000_000 } as const;

/**
 * What a search looks at in the rows of a list, in lower case. Most of it is kept: a row as JSON for as long as there is
 * that row, which is replaced and never changed; what a list reads in it, which may be of other rows, until the world
 * changes.
 */
class SearchedRows<R> {
  readonly #places = new Map<R, number>();
  readonly #json: string[] = [];
  readonly #grams = new GramIndex(12);
  #version: number | undefined;
  #values = new Map<string, Column>();
  #words: Column = newColumn();
  #characters = { json: 0, values: 0 };

  get isFull(): boolean {
    const { json, values } = this.#characters;
    return this.#places.size >= MOST.rows || json + values >= MOST.characters;
  }

  /** Where a row is kept; undefined where there is no room for it. */
  placeOf(row: R, version: number): number | undefined {
    if (this.#version !== version) this.#forgetValues(version);
    const known = this.#places.get(row);
    if (known !== undefined || this.isFull) return known;
    const place = this.#places.size;
    this.#places.set(row, place);
    return place;
  }

  values(place: number, field: string, read: () => Texts): Texts {
    let column = this.#values.get(field);
    if (!column) {
      column = newColumn();
      this.#values.set(field, column);
    }
    const known = column[place];
    if (known) return known;
    const values = read();
    for (const { length } of values) this.#characters.values += length;
    column[place] = values;
    return values;
  }

  wanted(word: string): Word {
    return { word, grams: this.#grams.gramsOf(word) };
  }

  /** Whether a text of the row has a word, by its grams at first. */
  holds(place: number, { word, grams }: Word, row: R, readValues: () => Texts): boolean {
    const words = this.#words[place] ?? this.#readWords(place, row, readValues);
    return this.#grams.mayHold(place, grams) && words.some((text) => text.includes(word));
  }

  #readWords(place: number, row: R, readValues: () => Texts): Texts {
    const json = this.#json[place] ?? this.#readJson(place, row);
    // A word of a value that stands in the row is a word of the row.
    const others = readValues().filter((value) => !json.includes(value));
    for (const text of others) this.#grams.add(place, text);
    const words = [json, ...others];
    this.#words[place] = words;
    return words;
  }

  #readJson(place: number, row: R): string {
    const json = JSON.stringify(row).toLowerCase();
    this.#characters.json += json.length;
    this.#grams.add(place, json);
    this.#json[place] = json;
    return json;
  }

  #forgetValues(version: number): void {
    this.#version = version;
    this.#values = new Map();
    this.#words = newColumn();
    this.#characters.values = 0;
  }
}

const newColumn = (): Column => new Array(MOST.rows);

interface Word {
  readonly word: string;
  readonly grams: readonly number[];
}

/** Of each list, which its fields stand for. */
const SEARCHED: WorldLocal<Map<object, SearchedRows<unknown>>> = {
  name: 'searched rows',
  open: () => new Map(),
  clear: (kept) => kept.clear(),
};

function keptRows({ world }: InspectorRequest, fields: object): SearchedRows<unknown> {
  const all = world.local(SEARCHED);
  const known = all.get(fields);
  const kept = known && !known.isFull ? known : new SearchedRows();
  all.set(fields, kept);
  return kept;
}

/** What a search can look at in the rows of a list. */
export function searchableOf<R>(
  { at, fields, text }: SearchedList<R>,
  request: InspectorRequest,
): Searchable<R> {
  const { world } = request;
  const kept = keptRows(request, fields);
  const read = (row: R, field: string): Texts =>
    (Object.hasOwn(fields, field) ? (fields[field]?.(row, request) ?? []) : []).flatMap((value) =>
      value === undefined ? [] : value.toLowerCase(),
    );
  const valuesOf = (row: R, field: string): Texts => {
    const place = kept.placeOf(row, world.version);
    return place === undefined
      ? read(row, field)
      : kept.values(place, field, () => read(row, field));
  };
  const readAll = (row: R): Texts => Object.keys(fields).flatMap((field) => valuesOf(row, field));
  const findPlainly = (row: R, word: string): boolean =>
    (text?.(row, request) ?? JSON.stringify(row)).toLowerCase().includes(word) ||
    readAll(row).some((value) => value.includes(word));
  const finderOf = (word: string) => {
    const wanted = kept.wanted(word);
    return (row: R): boolean => {
      // A text that a list makes of a row may be of other rows too.
      const place = text ? undefined : kept.placeOf(row, world.version);
      if (place === undefined) return findPlainly(row, word);
      return kept.holds(place, wanted, row, () => readAll(row));
    };
  };
  return { at, valuesOf, finderOf };
}
