import type { TimeSliced } from '../time-sliced.ts';
import { type Ranking, type RankingIndex, RowSums, type Sums } from './row-index.ts';
import { type OrderedRows, SortedRows } from './sorted-rows.ts';

/** Running sums whose keys are kept in order, and the totals over all keys. */
export class RowRankings<R> extends RowSums<R> {
  readonly #byKey = new Map<string, Ranking>();
  readonly #order: SortedRows<Ranking>;
  readonly #total: RowSums<R>;
  #isArranged = false;

  constructor(index: RankingIndex<R>) {
    super(index);
    this.#order = new SortedRows(index.compare);
    this.#total = new RowSums({
      key: (row) => (index.key(row) === undefined ? undefined : TOTAL),
      amounts: index.amounts,
    });
  }

  get order(): OrderedRows<Ranking> {
    return this.#order;
  }

  get total(): Sums {
    return this.#total.all().get(TOTAL) ?? new Map();
  }

  /** Until `arrange`, keys are not sorted: each row would move its key again. */
  override replace(before: R | undefined, after: R | undefined): void {
    super.replace(before, after);
    this.#total.replace(before, after);
    if (!this.#isArranged) return;
    for (const row of [before, after]) {
      const key = row && this.index.key(row);
      if (key !== undefined) this.#place(key);
    }
  }

  override holds(row: R): boolean {
    const key = this.index.key(row);
    if (key === undefined) return true;
    const standing = this.#byKey.get(key);
    return (
      standing !== undefined && standing.sums === this.all().get(key) && this.#order.has(standing)
    );
  }

  *arrange(): TimeSliced<void> {
    for (const key of this.all().keys()) {
      this.#place(key);
      yield;
    }
    this.#isArranged = true;
  }

  /** Moves a key to its place in the order. */
  #place(key: string): void {
    const [before, sums] = [this.#byKey.get(key), this.all().get(key)];
    if (before?.sums === sums) return;
    if (before) this.#order.remove(before);
    this.#byKey.delete(key);
    if (!sums) return;
    const standing = { key, sums };
    this.#byKey.set(key, standing);
    this.#order.add(standing);
  }
}

const TOTAL = 'total';
