import { type Instant, LAST_INSTANT } from '../../domain/instant.ts';
import type { DueIndex, KeptIndex } from './row-index.ts';
import { type Created, compareBy, type OrderedRows, SortedRows } from './sorted-rows.ts';

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
