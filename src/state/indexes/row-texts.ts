import { GramIndex } from './gram-index.ts';
import type { KeptIndex, TextIndex } from './row-index.ts';

/** Rows by parts of a text, regardless of case. */
export class RowTexts<R extends { readonly id: string }> implements KeptIndex<R> {
  readonly #rows: (R | undefined)[] = [];
  readonly #places = new Map<string, number>();
  /** Places of removed rows, to be reused. Their bits stay set, which at worst makes for false candidates. */
  readonly #free: number[] = [];
  readonly #grams = new GramIndex(9);

  constructor(private readonly index: TextIndex<R>) {}

  /** The rows whose text contains a word, in no particular order; undefined for each false candidate. */
  *holding(word: string): Generator<R | undefined, undefined> {
    const wanted = word.toLowerCase();
    for (const place of this.#grams.among(this.#grams.gramsOf(wanted))) {
      const row = this.#rows[place];
      yield row && this.#textOf(row).includes(wanted) ? row : undefined;
    }
  }

  replace(before: R | undefined, after: R | undefined): void {
    const place = (before && this.#places.get(before.id)) ?? this.#free.pop() ?? this.#rows.length;
    this.#rows[place] = after;
    if (after) {
      this.#places.set(after.id, place);
      this.#grams.add(place, this.#textOf(after));
    } else if (before) {
      this.#places.delete(before.id);
      this.#free.push(place);
    }
  }

  holds(row: R): boolean {
    const place = this.#places.get(row.id);
    if (place === undefined || this.#rows[place] !== row) return false;
    return this.#grams.mayHold(place, this.#grams.gramsOf(this.#textOf(row)));
  }

  *rows(): Generator<R> {
    for (const row of this.#rows) if (row) yield row;
  }

  #textOf(row: R): string {
    return this.index.text(row).toLowerCase();
  }
}
