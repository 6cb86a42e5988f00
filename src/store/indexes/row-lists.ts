import { bisect } from '../../domain/collections.ts';
import type { Row } from '../row.ts';
import type { KeptIndex, ListIndex } from './row-index.ts';

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
