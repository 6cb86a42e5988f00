import { bisect } from '../../domain/collections.ts';
import { type Instant, LAST_INSTANT } from '../../domain/instant.ts';
import type { DueIndex, KeptIndex, ListIndex } from './row-index.ts';
import { type Compare, type OrderedRows, SortedRows } from './sorted-rows.ts';

/** Has a place in the order of creation. */
export interface Created {
  readonly seq: number;
}

/** Compares rows by a text, if there is one, then by their creation. */
export function compareBy<R extends Created>({ order }: { order?(row: R): string }): Compare<R> {
  if (!order) return (left, right) => left.seq - right.seq;
  return (left, right) => {
    const [a, b] = [order(left), order(right)];
    return a === b ? left.seq - right.seq : a < b ? -1 : 1;
  };
}

const NOTHING: readonly never[] = [];

/** The rows under each key, in order. */
export class RowLists<R extends Created> implements KeptIndex<R> {
  readonly #lists = new Map<string, R[]>();
  /** The rows of all keys, if the index is `whole` and has several keys: else the only list has them. */
  #whole: RowLists<R> | undefined;
  readonly #compare: Compare<R>;

  constructor(private readonly index: ListIndex<R>) {
    this.#compare = compareBy(index);
  }

  list(key: string): readonly R[] {
    return this.#lists.get(key) ?? NOTHING;
  }

  /** The rows of all keys, of an index that is `whole`. */
  all(): readonly R[] {
    const [first = NOTHING] = (this.#whole ?? this).#lists.values();
    return first;
  }

  replace(before: R | undefined, after: R | undefined): void {
    this.#replaceListed(before, after);
    if (this.#whole) this.#whole.replace(before, after);
    else if (this.index.whole && this.#lists.size > 1) this.#whole = this.#joined();
  }

  /** A copy of the longest list, which had all rows until a second key came, with the rows of the others inserted. */
  #joined(): RowLists<R> {
    const key = (row: R) => (this.index.key(row) === undefined ? undefined : 'all');
    const joined = new RowLists<R>({ ...this.index, key, whole: false });
    const [longest, ...others] = [...this.#lists.values()].sort((a, b) => b.length - a.length);
    joined.#lists.set('all', [...(longest ?? NOTHING)]);
    for (const row of others.flat()) joined.#enter('all', row);
    return joined;
  }

  #replaceListed(before: R | undefined, after: R | undefined): void {
    const from = before && this.index.key(before);
    const to = after && this.index.key(after);
    if (before && from !== undefined) {
      const rows = this.#lists.get(from) as R[];
      const place = this.#placeOf(rows, before);
      if (after && from === to && this.#compare(before, after) === 0) {
        rows[place] = after;
        return;
      }
      rows.splice(place, 1);
      if (rows.length === 0) this.#lists.delete(from);
    }
    if (after && to !== undefined) this.#enter(to, after);
  }

  holds(row: R): boolean {
    const key = this.index.key(row);
    if (key === undefined) return true;
    const rows = this.list(key);
    return rows[this.#placeOf(rows, row)] === row && this.#whole?.holds(row) !== false;
  }

  *rows(): Generator<R> {
    for (const rows of this.#lists.values()) yield* rows;
  }

  #enter(key: string, row: R): void {
    const rows = this.#lists.get(key);
    if (!rows) {
      this.#lists.set(key, [row]);
      return;
    }
    const place = this.#placeOf(rows, row);
    if (place === rows.length) rows.push(row);
    else rows.splice(place, 0, row);
  }

  #placeOf(rows: readonly R[], row: R): number {
    return bisect(rows, (each) => this.#compare(each, row) < 0);
  }
}

/** The rows that wait for an instant of one kind, the soonest first, and when each is due. */
export interface Waiting<R> {
  readonly rows: OrderedRows<R>;
  instantOf(row: R): Instant;
}

interface Kind<R> extends Waiting<R> {
  readonly rows: SortedRows<R>;
  isWaiting(row: R): boolean;
}

/** The rows that wait, by the kind of instant for which they do. */
export class DueRows<R extends Created> implements KeptIndex<R> {
  readonly #kinds: ReadonlyMap<string, Kind<R>>;

  constructor({ due }: DueIndex<R>) {
    this.#kinds = new Map(
      Object.entries(due).map(([kind, dueAt]) => {
        const instantOf = dueAt as (row: R) => Instant;
        return [
          kind,
          {
            rows: new SortedRows<R>(compareBy({ order: instantOf })),
            instantOf,
            // The last instant counts as never, as nothing could follow it.
            isWaiting: (row) => (dueAt(row) ?? LAST_INSTANT) < LAST_INSTANT,
          },
        ];
      }),
    );
  }

  /** When the first row of any kind is due; undefined if none waits. */
  get earliest(): Instant | undefined {
    let first: Instant | undefined;
    for (const { rows, instantOf } of this.#kinds.values()) {
      const row = rows.at(0);
      if (row && (first === undefined || instantOf(row) < first)) first = instantOf(row);
    }
    return first;
  }

  of(kind: string): Waiting<R> {
    return this.#kinds.get(kind) as Kind<R>;
  }

  replace(before: R | undefined, after: R | undefined): void {
    for (const { rows, instantOf, isWaiting } of this.#kinds.values()) {
      const from = before !== undefined && isWaiting(before);
      const to = after !== undefined && isWaiting(after);
      if (from && to && instantOf(before) === instantOf(after)) {
        rows.replace(after);
        continue;
      }
      if (from) rows.remove(before);
      if (to) rows.add(after);
    }
  }

  holds(row: R): boolean {
    const kinds = [...this.#kinds.values()];
    return kinds.every(({ rows, isWaiting }) => !isWaiting(row) || rows.has(row));
  }

  *rows(): Generator<R> {
    for (const { rows } of this.#kinds.values()) yield* rows;
  }
}
