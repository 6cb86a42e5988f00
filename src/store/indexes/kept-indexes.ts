import type { Row } from '../row.ts';
import type { TimeSliced } from '../time-sliced.ts';
import {
  type GroupIndex,
  type Index,
  type KeptIndex,
  type RankingIndex,
  RowGroups,
  RowSums,
  type SumIndex,
} from './row-index.ts';
import { RowLists } from './row-lists.ts';
import { RowRankings } from './row-standings.ts';

/** How many on-demand indexes are kept: the most recently used. */
const MAX_ON_DEMAND = 4;

/** An on-demand index: outside the schema, with a name of its own. */
export interface OnDemandIndex<R, I extends Index<R> = Index<R>> {
  readonly name: string;
  /** Called when it is built, as it may depend on other tables. */
  readonly index: () => I;
  /** A superset of the rows that it will hold; all rows of the table if absent. */
  readonly rows?: () => Iterable<R>;
}

/** The data structure that is built for an index of type `I`, as its reader gets it. */
export type StructureOf<R extends Row, I> =
  I extends RankingIndex<R>
    ? RowRankings<R>
    : I extends SumIndex<R>
      ? RowSums<R>
      : I extends GroupIndex<R>
        ? RowGroups<R>
        : RowLists<R>;

type Told<R> = Pick<KeptIndex<R>, 'replace'>;

/** The indexes of a table by name: those of the schema, lazy ones from their first use on, and some on-demand ones. */
export class KeptIndexes<R extends Row> {
  readonly #byName = new Map<string, { readonly index: Index<R>; readonly kept: KeptIndex<R> }>();
  /** Names of on-demand indexes, the most recently used last. */
  #onDemand: string[] = [];
  /** What is notified of every write: all indexes, and those that are being built. */
  #told: readonly Told<R>[] = [];

  constructor(
    private readonly schema: Readonly<Record<string, Index<R>>>,
    known: ReadonlyMap<string, { readonly kept: KeptIndex<R> }> = new Map(),
  ) {
    for (const [name, index] of Object.entries(schema)) {
      const kept = known.get(name)?.kept ?? (index.lazy ? undefined : keep(index));
      if (kept) this.#put(name, index, kept);
    }
  }

  /** These without on-demand indexes, which may depend on other tables, and without those being built. */
  ofSchema(): KeptIndexes<R> {
    return new KeptIndexes(this.schema, this.#byName);
  }

  get definitions(): Readonly<Record<string, Index<R>>> {
    return Object.fromEntries([...this.#byName].map(([name, { index }]) => [name, index]));
  }

  get<K extends KeptIndex<R>>(name: string): K {
    return this.#byName.get(name)?.kept as K;
  }

  *entries(): Generator<readonly [name: string, kept: KeptIndex<R>]> {
    for (const [name, { kept }] of this.#byName) yield [name, kept];
  }

  replace(before: R | undefined, after: R | undefined): void {
    for (const each of this.#told) each.replace(before, after);
  }

  /** Builds an index from the present rows, unless it exists. */
  *prepare({ name, index: define, rows }: Required<OnDemandIndex<R>>): TimeSliced<void> {
    if (!this.#byName.has(name)) {
      const index = define();
      const made = yield* this.#make(index, [...rows()]);
      // Another request may have built it meanwhile.
      if (!this.#byName.has(name)) this.#put(name, index, made);
    }
    if (name in this.schema) return;
    this.#onDemand = [...this.#onDemand.filter((each) => each !== name), name];
    if (this.#onDemand.length > MAX_ON_DEMAND) this.#drop(this.#onDemand.shift() as string);
  }

  *#make(index: Index<R>, rows: readonly R[]): TimeSliced<KeptIndex<R>> {
    const made = keep(index);
    const missed: (readonly [R | undefined, R | undefined])[] = [];
    const note: Told<R> = { replace: (before, after) => missed.push([before, after]) };
    this.#told = [...this.#told, note];
    try {
      for (const row of rows) {
        made.replace(undefined, row);
        yield;
      }
      if (made.arrange) yield* made.arrange();
    } finally {
      this.#told = this.#told.filter((each) => each !== note);
    }
    for (const [before, after] of missed) made.replace(before, after);
    return made;
  }

  #put(name: string, index: Index<R>, kept: KeptIndex<R>): void {
    this.#byName.set(name, { index, kept });
    this.#told = [...this.#told, kept];
  }

  #drop(name: string): void {
    const gone = this.get(name);
    this.#byName.delete(name);
    this.#told = this.#told.filter((each) => each !== gone);
  }
}

function keep<R extends Row>(index: Index<R>): KeptIndex<R> {
  if ('compare' in index) return new RowRankings(index);
  if ('amounts' in index) return new RowSums(index);
  return 'group' in index ? new RowGroups(index) : new RowLists(index);
}
