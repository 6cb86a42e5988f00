import { add, type Decimal, subtract, ZERO } from '../../domain/decimal.ts';
import type { TimeSliced } from '../time-sliced.ts';
import type { KeptIndex, Ranking, RankingIndex, Sums } from './row-index.ts';
import { type OrderedRows, SortedRows } from './sorted-rows.ts';

/** Keys in their order, with the sums of each and of all. */
export interface Rankings {
  readonly order: OrderedRows<Ranking>;
  readonly total: Sums;
  has(key: string): boolean;
}

/** A key with its rows counted, so that a key without rows is dropped. */
interface Counted extends Ranking {
  readonly count: number;
}

/** Running sums whose keys are kept in order, and the totals over all keys. */
export class RowRankings<R> implements KeptIndex<R>, Rankings {
  readonly #byKey = new Map<string, Counted>();
  readonly #order: SortedRows<Ranking>;
  #total: Sums = new Map();
  #isArranged = false;

  constructor(private readonly index: RankingIndex<R>) {
    this.#order = new SortedRows(index.compare);
  }

  get order(): OrderedRows<Ranking> {
    return this.#order;
  }

  get total(): Sums {
    return this.#total;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  replace(before: R | undefined, after: R | undefined): void {
    if (after) this.#count(after, 1, add);
    if (before) this.#count(before, -1, subtract);
  }

  holds(row: R): boolean {
    const key = this.index.key(row);
    if (key === undefined) return true;
    const counted = this.#byKey.get(key);
    return counted !== undefined && this.#order.has(counted);
  }

  rows(): Iterable<R> {
    return [];
  }

  /** Until then, keys are not sorted: each row would move its key again. */
  *arrange(): TimeSliced<void> {
    for (const counted of this.#byKey.values()) {
      this.#order.add(counted);
      yield;
    }
    this.#isArranged = true;
  }

  #count(row: R, one: 1 | -1, plus: typeof add): void {
    const key = this.index.key(row);
    if (key === undefined) return;
    const amounts = [...this.index.amounts(row)];
    const before = this.#byKey.get(key);
    const count = (before?.count ?? 0) + one;
    const after = { key, count, sums: summed(before?.sums, amounts, plus) };
    if (count === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, after);
    this.#total = summed(this.#total, amounts, plus);
    if (!this.#isArranged) return;
    if (before) this.#order.remove(before);
    if (count > 0) this.#order.add(after);
  }
}

/** The sums with some amounts added or subtracted, as a new map. */
function summed(
  sums: Sums | undefined,
  amounts: readonly (readonly [name: string, amount: Decimal])[],
  plus: typeof add,
): Sums {
  const changed = new Map(sums);
  for (const [name, amount] of amounts) changed.set(name, plus(changed.get(name) ?? ZERO, amount));
  return changed;
}
