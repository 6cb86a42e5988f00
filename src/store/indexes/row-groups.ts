import type { GroupIndex, KeptIndex } from './row-index.ts';
import {
  type Compare,
  type Created,
  compareBy,
  type OrderedRows,
  SortedRows,
} from './sorted-rows.ts';

/** Groups of rows, each sorted by `compare`. */
export interface Groups<R> {
  readonly all: readonly OrderedRows<R>[];
  compare(left: R, right: R): number;
}

/** The rows under each key, in groups. */
export class RowGroups<R extends Created> implements KeptIndex<R> {
  readonly #groups = new Map<string, Map<string, SortedRows<R>>>();
  private readonly compare: Compare<R>;

  constructor(private readonly index: GroupIndex<R>) {
    this.compare = compareBy(index);
  }

  under(key: string): Groups<R> {
    return { all: [...(this.#groups.get(key)?.values() ?? [])], compare: this.compare };
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

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
