import { add, type Decimal, subtract, ZERO } from '../../domain/decimal.ts';
import type { TimeSliced } from '../time-sliced.ts';
import { type Compare, type OrderedRows, SortedRows } from './sorted-rows.ts';

/**
 * What an index holds for each key, by the members of its definition:
 *
 * | definition      | its own member       | data structure | holds                                                   |
 * |-----------------|----------------------|----------------|---------------------------------------------------------|
 * | `ListIndex`     |                      | `RowLists`     | the rows, in order; if `whole`, also those of all keys  |
 * | `GroupIndex`    | `group`              | `RowGroups`    | the rows, in groups                                     |
 * | `SumIndex`      | `amounts`            | `RowSums`      | running sums                                            |
 * | `RankingIndex` | `amounts`, `compare` | `RowRankings` | running sums, and the keys in order by `compare`        |
 *
 * When it is built: with its table, if it is in the schema; at its first use, if it is `lazy` there (`Table.lazy`);
 * if it is outside the schema, on demand, and dropped when others are used more recently (`Table.onDemand`).
 */

/** Has a place in the order of creation. */
export interface Created {
  readonly seq: number;
}

interface AnyIndex<R> {
  /** A row without a key is not indexed. */
  key(row: R): string | undefined;
  /** Whether it is built at its first use only, as most worlds never need it. */
  readonly lazy?: true;
}

export interface ListIndex<R> extends AnyIndex<R> {
  /** The order of the rows under one key; the order of creation if absent or equal. */
  order?(row: R): string;
  /** The fields that the key is made of, if a query that gives their values may take the rows under it. */
  readonly fields?: readonly string[];
  /** Whether the rows of all keys are also needed as one list. */
  readonly whole?: boolean;
}

/** For keys with many rows that come and go: the rows of a key are divided into groups. */
export interface GroupIndex<R> extends ListIndex<R> {
  group(row: R): string;
}

/** Running sums over the rows under one key, by name. */
export interface SumIndex<R> extends AnyIndex<R> {
  amounts(row: R): Iterable<readonly [name: string, amount: Decimal]>;
}

/** A key with its running sums. */
export interface Ranking {
  readonly key: string;
  readonly sums: Sums;
}

/** Running sums whose keys are kept in a strict order. */
export interface RankingIndex<R> extends SumIndex<R> {
  compare(left: Ranking, right: Ranking): number;
}

export type Index<R> = ListIndex<R> | GroupIndex<R> | SumIndex<R> | RankingIndex<R>;

/** The data structure of an index, notified of every row that is added, removed or replaced. */
export interface KeptIndex<R> {
  replace(before: R | undefined, after: R | undefined): void;
  /** Whether it holds a row of the table in its place. */
  holds(row: R): boolean;
  rows(): Iterable<R>;
  /** Sorts once after it was built from many rows, if that is cheaper than after each row. */
  arrange?(): TimeSliced<void>;
}

const NOTHING: readonly never[] = [];

/** Groups of rows, each sorted by `compare`. */
export interface Groups<R> {
  readonly all: readonly OrderedRows<R>[];
  compare(left: R, right: R): number;
}

export class RowGroups<R extends Created> implements KeptIndex<R> {
  readonly #groups = new Map<string, Map<string, SortedRows<R>>>();
  private readonly compare: Compare<R>;

  constructor(private readonly index: GroupIndex<R>) {
    this.compare = compareBy(index);
  }

  under(key: string): Groups<R> {
    return { all: [...(this.#groups.get(key)?.values() ?? NOTHING)], compare: this.compare };
  }

  /** The only group of a key. */
  only(key: string): OrderedRows<R> | undefined {
    return this.#groups.get(key)?.values().next().value;
  }

  replace(before: R | undefined, after: R | undefined): void {
    const from = before && this.#groupOf(before);
    const to = after && this.#groupOf(after);
    if (from && from === to && this.compare(before as R, after as R) === 0) {
      from.replace(after as R);
      return;
    }
    if (from) this.#leave(from, before as R);
    // Looked up again, as a group is dropped with its last row.
    if (to) this.#groupOf(after as R)?.add(after as R);
  }

  holds(row: R): boolean {
    const key = this.index.key(row);
    if (key === undefined) return true;
    return this.#groups.get(key)?.get(this.index.group(row))?.has(row) === true;
  }

  *rows(): Generator<R> {
    for (const groups of this.#groups.values()) for (const rows of groups.values()) yield* rows;
  }

  /** The group of a row, created if it does not exist. */
  #groupOf(row: R): SortedRows<R> | undefined {
    const key = this.index.key(row);
    if (key === undefined) return undefined;
    const groups = getOrMake(this.#groups, key, () => new Map<string, SortedRows<R>>());
    return getOrMake(groups, this.index.group(row), () => new SortedRows<R>(this.compare));
  }

  #leave(rows: SortedRows<R>, row: R): void {
    rows.remove(row);
    if (rows.length > 0) return;
    const key = this.index.key(row) as string;
    const groups = this.#groups.get(key);
    groups?.delete(this.index.group(row));
    if (groups?.size === 0) this.#groups.delete(key);
  }
}

export type Sums = ReadonlyMap<string, Decimal>;

export class RowSums<R> implements KeptIndex<R> {
  readonly #sums = new Map<string, Sums>();
  /** How many rows each key has, so that a key without rows is dropped. */
  readonly #counts = new Map<string, number>();

  constructor(protected readonly index: SumIndex<R>) {}

  /** The sums by key. The map of a key is replaced, never changed. */
  all(): ReadonlyMap<string, Sums> {
    return this.#sums;
  }

  replace(before: R | undefined, after: R | undefined): void {
    if (after) this.#book(after, add, 1);
    if (before) this.#book(before, subtract, -1);
  }

  holds(_row: R): boolean {
    return true;
  }

  rows(): Iterable<R> {
    return NOTHING;
  }

  #book(row: R, plus: typeof add, one: 1 | -1): void {
    const key = this.index.key(row);
    if (key === undefined) return;
    const count = (this.#counts.get(key) ?? 0) + one;
    this.#counts.set(key, count);
    if (count === 0) {
      this.#counts.delete(key);
      this.#sums.delete(key);
      return;
    }
    const sums = new Map(this.#sums.get(key));
    this.#sums.set(key, sums);
    for (const [name, amount] of this.index.amounts(row))
      sums.set(name, plus(sums.get(name) ?? ZERO, amount));
  }
}

export function compareBy<R extends Created>({ order }: ListIndex<R>): Compare<R> {
  if (!order) return (left, right) => left.seq - right.seq;
  return (left, right) => {
    const [a, b] = [order(left), order(right)];
    return a === b ? left.seq - right.seq : a < b ? -1 : 1;
  };
}

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
