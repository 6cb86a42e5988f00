import type { Instant } from '../domain/instant.ts';
import { KeptIndexes, type OnDemandIndex, type StructureOf } from './indexes/kept-indexes.ts';
import type { Index, KeptIndex, SchemaIndex } from './indexes/row-index.ts';
import type { DueRows, RowLists, SortedLists, Waiting } from './indexes/row-lists.ts';
import type { OrderedRows } from './indexes/sorted-rows.ts';
import type { Change, Row } from './row.ts';
import type { TimeSliced } from './time-sliced.ts';

/** Called with every change, so that a refused request can be undone. */
export type OnChange = (change: Change) => void;

/** A way to rows by the values of fields. */
export interface Path<R> {
  readonly name: string;
  readonly fields: readonly string[];
  key(row: R): string | undefined;
  /** The rows with the values of the fields that one has, in the order of creation. */
  rows(of: R): readonly R[];
}

const fieldsOf = <R>(index: SchemaIndex<R>): readonly string[] =>
  ('fields' in index ? index.fields : undefined) ?? [];

/** Rows of one kind by key, and its indexes. A row is never changed, only replaced, so that a snapshot may share it. */
export class Table<R extends Row, N extends string = string> {
  #rows = new Map<string, R>();
  /** All rows as a list: cached until one changes. */
  #captured: readonly R[] | undefined;
  #indexes: KeptIndexes<R>;
  /** The chosen paths, by their fields. */
  readonly #paths = new Map<string, Path<R> | undefined>();

  constructor(
    readonly name: string,
    private readonly schema: Readonly<Record<N, SchemaIndex<R>>>,
    private readonly onChange: OnChange,
  ) {
    this.#indexes = new KeptIndexes(schema);
  }

  /** The names of all indexes that exist at present. */
  get indexes(): readonly string[] {
    return this.#indexes.names;
  }

  /** Builds an on-demand index, then calls `answer` with it. The most recently used ones are kept. */
  *onDemand<I extends Index<R>, T>(
    { name, index, rows = () => this.#rows.values() }: OnDemandIndex<R, I>,
    answer: (kept: StructureOf<R, I>) => T,
  ): TimeSliced<T> {
    let prepared: KeptIndexes<R>;
    do {
      prepared = this.#indexes;
      yield* prepared.prepare({ name, index, rows });
      // The world may have been replaced meanwhile.
    } while (prepared !== this.#indexes);
    return answer(prepared.get(name));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** All rows, in no particular order. */
  values(): IterableIterator<R> {
    return this.#rows.values();
  }

  /** The rows of this moment as a list; the same list as long as nothing changes. */
  capture(): readonly R[] {
    this.#captured ??= [...this.#rows.values()];
    return this.#captured;
  }

  /** Fills an empty table without calling `onChange`. */
  *fill(rows: readonly R[]): TimeSliced<void> {
    for (const row of rows) {
      this.set(row.id, row);
      yield;
    }
    if (this.size === rows.length) this.#captured = rows;
  }

  /** The index of the schema with most of these fields, and no other. */
  pathOf(fields: readonly string[]): Path<R> | undefined {
    const name = fields.join(' ');
    if (!this.#paths.has(name)) this.#paths.set(name, this.#choosePath(fields));
    return this.#paths.get(name);
  }

  #choosePath(fields: readonly string[]): Path<R> | undefined {
    const indexes = Object.entries<SchemaIndex<R>>(this.schema);
    const [found] = indexes
      .filter(
        ([, index]) => 'fields' in index && index.fields?.every((each) => fields.includes(each)),
      )
      .sort(([, left], [, right]) => fieldsOf(right).length - fieldsOf(left).length);
    const [name, index] = found ?? [];
    if (name === undefined || !index || !('key' in index)) return undefined;
    return {
      name,
      fields: fieldsOf(index),
      key: index.key,
      rows: (of) => this.list(name as N, index.key(of) ?? ''),
    };
  }

  /** The rows under a key of a `ListIndex`, in the order of creation. */
  list(index: N, key: string): readonly R[] {
    return this.#indexes.get<RowLists<R>>(index).list(key);
  }

  /** The rows under a key of a `SortedIndex`, in its order. */
  sorted(index: N, key: string): OrderedRows<R> {
    return this.#indexes.get<SortedLists<R>>(index).sorted(key);
  }

  /** When the first row that waits is due, whatever for; of a table whose schema has an index `due`. */
  earliestDue(): Instant | undefined {
    return this.#indexes.get<DueRows<R>>('due').earliest;
  }

  /** The rows that wait for a kind of instant; of a table whose schema has an index `due`. */
  due(kind: string): Waiting<R> {
    return this.#indexes.get<DueRows<R>>('due').of(kind);
  }

  /** The names of indexes that do not hold exactly the rows of this table, each in its place. */
  *staleIndexes(): TimeSliced<string[]> {
    const [rows, wrong, indexes] = [this.#rows, new Set<string>(), [...this.#indexes.entries()]];
    // An index that was dropped meanwhile no longer follows the rows.
    const note = (place: string, index: KeptIndex<R>) => {
      if (this.#indexes.get(place) === index) wrong.add(place);
    };
    for (const row of rows.values()) {
      for (const [place, index] of indexes) if (!index.holds(row)) note(place, index);
      yield;
    }
    for (const [place, index] of indexes)
      for (const row of index.rows()) {
        if (rows.get(row.id) !== row) note(place, index);
        yield;
      }
    return [...wrong];
  }

  put(row: R): R {
    const before = this.#rows.get(row.id);
    this.onChange({ table: this.name, id: row.id, before, after: row });
    this.#replace(row.id, before, row);
    return row;
  }

  remove(id: string): void {
    const before = this.#rows.get(id);
    if (!before) return;
    this.onChange({ table: this.name, id, before, after: undefined });
    this.#replace(id, before, undefined);
  }

  /** Sets or removes a row without calling `onChange`: for undoing and restoring. */
  set(id: string, row: R | undefined): void {
    this.#replace(id, this.#rows.get(id), row);
  }

  /** Exchanges the contents with another table of the same kind. On-demand indexes stay behind. */
  swap(other: Table<R, N>): void {
    [this.#rows, other.#rows] = [other.#rows, this.#rows];
    [this.#captured, other.#captured] = [other.#captured, this.#captured];
    [this.#indexes, other.#indexes] = [other.#indexes.ofSchema(), this.#indexes.ofSchema()];
  }

  #replace(id: string, before: R | undefined, after: R | undefined): void {
    this.#captured = undefined;
    if (after) this.#rows.set(id, after);
    else this.#rows.delete(id);
    this.#indexes.replace(before, after);
  }
}
