import { bisect } from '../../domain/collections.ts';
import { type Instant, LAST_INSTANT } from '../../domain/instant.ts';
import type { Row } from '../row.ts';
import type { DueIndex, GroupIndex, KeptIndex, ListIndex } from './row-index.ts';
import { type Compare, compareBy, type OrderedRows, SortedRows } from './sorted-rows.ts';

const NOTHING: readonly never[] = [];

/** The rows under each key, in the order of creation: one list each, as most rows are added at its end. */
export class RowLists<R extends Row> implements KeptIndex<R> {
  readonly #lists = new Map<string, R[]>();

  constructor(private readonly index: ListIndex<R>) {}

  list(key: string): readonly R[] {
    return this.#lists.get(key) ?? NOTHING;
  }

  replace(before: R | undefined, after: R | undefined): void {
    const from = before && this.index.key(before);
    const to = after && this.index.key(after);
    if (before && from !== undefined) {
      const rows = this.#lists.get(from) as R[];
      const place = placeOf(rows, before);
      if (after && from === to && before.seq === after.seq) {
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
    return rows[placeOf(rows, row)] === row;
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
    const place = placeOf(rows, row);
    if (place === rows.length) rows.push(row);
    else rows.splice(place, 0, row);
  }
}

const placeOf = <R extends Row>(rows: readonly R[], { seq }: R): number =>
  bisect(rows, (each) => each.seq < seq);

const NO_ROWS: OrderedRows<never> = new SortedRows(() => 0);

/** The rows under each key, sorted. */
export class SortedLists<R extends Row> implements KeptIndex<R> {
  readonly #lists = new Map<string, SortedRows<R>>();
  readonly #compare: Compare<R>;

  constructor(private readonly index: Omit<GroupIndex<R>, 'group'>) {
    this.#compare = compareBy(index.order);
  }

  sorted(key: string): OrderedRows<R> {
    return this.#lists.get(key) ?? NO_ROWS;
  }

  get all(): readonly OrderedRows<R>[] {
    return [...this.#lists.values()];
  }

  replace(before: R | undefined, after: R | undefined): void {
    const from = before && this.index.key(before);
    const to = after && this.index.key(after);
    if (
      before &&
      after &&
      from !== undefined &&
      from === to &&
      this.#compare(before, after) === 0
    ) {
      this.#lists.get(from)?.replace(after);
      return;
    }
    if (before && from !== undefined) this.#leave(from, before);
    if (after && to !== undefined) this.#enter(to, after);
  }

  holds(row: R): boolean {
    const key = this.index.key(row);
    return key === undefined || this.#lists.get(key)?.has(row) === true;
  }

  *rows(): Generator<R> {
    for (const rows of this.#lists.values()) yield* rows;
  }

  #enter(key: string, row: R): void {
    const rows = this.#lists.get(key) ?? new SortedRows(this.#compare);
    if (rows.length === 0) this.#lists.set(key, rows);
    rows.add(row);
  }

  #leave(key: string, row: R): void {
    const rows = this.#lists.get(key);
    rows?.remove(row);
    if (rows?.length === 0) this.#lists.delete(key);
  }
}

/** The rows under each key, in groups, each sorted. */
export class RowGroups<R extends Row> implements KeptIndex<R> {
  readonly #byKey = new Map<string, SortedLists<R>>();
  /** How the rows under one key are kept. */
  readonly #byGroup: Omit<GroupIndex<R>, 'group'>;

  constructor(private readonly index: GroupIndex<R>) {
    this.#byGroup = { key: index.group, order: index.order };
  }

  under(key: string): readonly OrderedRows<R>[] {
    return this.#byKey.get(key)?.all ?? [];
  }

  replace(before: R | undefined, after: R | undefined): void {
    const from = before && this.index.key(before);
    const to = after && this.index.key(after);
    if (from === to) this.#replaceUnder(to, before, after);
    else {
      this.#replaceUnder(from, before, undefined);
      this.#replaceUnder(to, undefined, after);
    }
  }

  #replaceUnder(key: string | undefined, before: R | undefined, after: R | undefined): void {
    if (key === undefined) return;
    const groups = this.#byKey.get(key) ?? new SortedLists(this.#byGroup);
    groups.replace(before, after);
    this.#byKey.set(key, groups);
  }

  holds(row: R): boolean {
    const key = this.index.key(row);
    return key === undefined || this.#byKey.get(key)?.holds(row) === true;
  }

  *rows(): Generator<R> {
    for (const groups of this.#byKey.values()) yield* groups.rows();
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
export class DueRows<R extends Row> implements KeptIndex<R> {
  readonly #kinds: ReadonlyMap<string, Kind<R>>;

  constructor({ due }: DueIndex<R>) {
    this.#kinds = new Map(
      Object.entries(due).map(([kind, dueAt]) => {
        const instantOf = dueAt as (row: R) => Instant;
        return [
          kind,
          {
            rows: new SortedRows<R>(compareBy(instantOf)),
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
