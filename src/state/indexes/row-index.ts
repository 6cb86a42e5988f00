import { add, type Decimal, subtract, ZERO } from '../../domain/decimal.ts';
import type { Resumable } from '../resumable.ts';
import { type Compare, type OrderedRows, SortedRows } from '../sorted-rows.ts';

/** What has a place in the order of creation. */
export interface Created {
  readonly seq: number;
}

interface AnyIndex<R> {
  /** A row without a key is left out. */
  key(row: R): string | undefined;
  /** Whether it is kept only from its first use on, as most worlds are never asked for it. */
  readonly late?: true;
}

/** How rows are found other than by key. */
export interface ListIndex<R> extends AnyIndex<R> {
  /** Rows under one key stand in this order, by creation where it is absent or equal. */
  order?(row: R): string;
  /** Whether all of its rows are also asked for as one list. */
  readonly whole?: boolean;
}

/** The same of rows of which many stand under one key, and come and go: divided by what they have in common. */
export interface GroupIndex<R> extends ListIndex<R> {
  group(row: R): string;
}

/** Running sums of what the rows under one key amount to, by name. */
export interface SumIndex<R> extends AnyIndex<R> {
  amounts(row: R): Iterable<readonly [name: string, amount: Decimal]>;
}

/** A key of running sums, with what they come to. */
export interface Standing {
  readonly key: string;
  readonly sums: Sums;
}

/** Running sums whose keys stand in an order, which tells any two of them apart. */
export interface StandingIndex<R> extends SumIndex<R> {
  compare(left: Standing, right: Standing): number;
}

/** Rows by the words of a text of theirs, whatever its case. */
export interface TextIndex<R> extends Pick<AnyIndex<R>, 'late'> {
  text(row: R): string;
}

export type Index<R> = ListIndex<R> | GroupIndex<R> | SumIndex<R> | StandingIndex<R> | TextIndex<R>;

/** What is kept of an index: told of every row that comes, goes or is replaced. */
export interface KeptIndex<R> {
  replace(before: R | undefined, after: R | undefined): void;
  /** Whether a row of the table stands where it belongs. */
  holds(row: R): boolean;
  rows(): Iterable<R>;
  /** Puts in order what was made of many rows, where that is left to the end. */
  arrange?(): Resumable<void>;
}

const NOTHING: readonly never[] = [];

/** Rows that are divided, each part in the order of all of them. */
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

  /** The one group of an index that makes no others. */
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
    // Anew, as a group that was left by its last row is gone.
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

  /** The group of a row, made where there is none yet. */
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
  /** How many rows each key has, so that one without any is forgotten. */
  readonly #counts = new Map<string, number>();

  constructor(protected readonly index: SumIndex<R>) {}

  /** The sums by key. Those of a key are replaced, never changed. */
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
