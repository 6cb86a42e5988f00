/** What every kept record has: its key, and its place in the order of creation. */
export interface Row {
  readonly id: string;
  readonly seq: number;
}

/** How rows are found other than by key. A row without a key is left out of that index. */
export interface Index<R> {
  key(row: R): string | undefined;
  /** Rows under one key stand in this order, by creation where it is absent or equal. */
  order?(row: R): string;
}

export type Indexes<R> = Readonly<Record<string, Index<R>>>;

/** One changed row: absent before it was created, absent after it was removed. */
export interface Change<R extends Row = Row> {
  readonly table: string;
  readonly id: string;
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** Takes note of every change, so that a refused request can be undone. */
export type Journal = (change: Change) => void;

const NOTHING: readonly never[] = [];

/**
 * Rows of one kind by key, and by every index at once. A row is never changed, only replaced, so that a
 * snapshot may share it.
 */
export class Table<R extends Row, N extends string = string> {
  #rows = new Map<string, R>();
  #lists = new Map<string, Map<string, R[]>>();
  /** Each index beside its lists, as every write goes through all of them. */
  #kept: readonly (readonly [Index<R>, Map<string, R[]>])[];

  constructor(
    readonly name: string,
    readonly indexes: Readonly<Record<N, Index<R>>>,
    private readonly journal: Journal,
  ) {
    this.#kept = Object.entries<Index<R>>(indexes).map(([place, index]) => {
      const lists = new Map<string, R[]>();
      this.#lists.set(place, lists);
      return [index, lists];
    });
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** Finds rows by key as long as no other contents take their place, and those that were here afterwards. */
  lookup(): (id: string) => R | undefined {
    const rows = this.#rows;
    return (id) => rows.get(id);
  }

  /** All rows, in no promised order. */
  values(): IterableIterator<R> {
    return this.#rows.values();
  }

  /** The rows under a key of an index, in that index's order. */
  list(index: N, key: string): readonly R[] {
    return this.#lists.get(index)?.get(key) ?? NOTHING;
  }

  first(index: N, key: string): R | undefined {
    return this.list(index, key)[0];
  }

  put(row: R): R {
    const before = this.#rows.get(row.id);
    this.journal({ table: this.name, id: row.id, before, after: row });
    this.#replace(row.id, before, row);
    return row;
  }

  remove(id: string): void {
    const before = this.#rows.get(id);
    if (!before) return;
    this.journal({ table: this.name, id, before, after: undefined });
    this.#replace(id, before, undefined);
  }

  /** Puts a row, or its absence, in place without taking note: for undoing and restoring. */
  set(id: string, row: R | undefined): void {
    this.#replace(id, this.#rows.get(id), row);
  }

  /** Takes over all that another table of the same kind holds; that one is of no use any more. */
  take(other: Table<R, N>): void {
    this.#rows = other.#rows;
    this.#lists = other.#lists;
    this.#kept = other.#kept;
  }

  #replace(id: string, before: R | undefined, after: R | undefined): void {
    if (after) this.#rows.set(id, after);
    else this.#rows.delete(id);
    for (const [index, lists] of this.#kept) {
      if (before) reindex(index, lists, before, after);
      else if (after) enter(index, lists, after);
    }
  }
}

/** Puts a changed or removed row right in one index. */
function reindex<R extends Row>(
  index: Index<R>,
  lists: Map<string, R[]>,
  before: R,
  after: R | undefined,
): void {
  const oldKey = index.key(before);
  if (oldKey !== undefined) {
    const rows = lists.get(oldKey) as R[];
    const place = placeOf(rows, before, index);
    if (after && oldKey === index.key(after) && compareRows(before, after, index) === 0) {
      rows[place] = after;
      return;
    }
    rows.splice(place, 1);
    if (rows.length === 0) lists.delete(oldKey);
  }
  if (after) enter(index, lists, after);
}

function enter<R extends Row>(index: Index<R>, lists: Map<string, R[]>, row: R): void {
  const name = index.key(row);
  if (name === undefined) return;
  const rows = lists.get(name);
  if (!rows) {
    lists.set(name, [row]);
    return;
  }
  const place = placeOf(rows, row, index);
  if (place === rows.length) rows.push(row);
  else rows.splice(place, 0, row);
}

function compareRows<R extends Row>(left: R, right: R, index: Index<R>): number {
  if (index.order) {
    const [a, b] = [index.order(left), index.order(right)];
    if (a !== b) return a < b ? -1 : 1;
  }
  return left.seq - right.seq;
}

/** Where a row stands, or would stand. Most rows are the newest, so the end is tried first. */
function placeOf<R extends Row>(rows: readonly R[], row: R, index: Index<R>): number {
  let low = 0;
  let high = rows.length;
  if (high > 0 && compareRows(rows[high - 1] as R, row, index) < 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(rows[middle] as R, row, index) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
