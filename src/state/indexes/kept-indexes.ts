import type { Resumable } from '../resumable.ts';
import type { Row } from '../table.ts';
import {
  type GroupIndex,
  type Index,
  type KeptIndex,
  RowGroups,
  RowSums,
  type StandingIndex,
  type SumIndex,
} from './row-index.ts';
import { RowLists } from './row-lists.ts';
import { RowStandings } from './row-standings.ts';

/** How many indexes outside the schema are kept: the most recently used. */
const MOST_ASKED_FOR = 4;

/** An index outside the schema, with a name of its own. */
export interface AskedIndex<R, I extends Index<R> = Index<R>> {
  readonly name: string;
  /** Called when it is built, as it may depend on other tables. */
  readonly index: () => I;
  /** A superset of the rows that it will hold; all rows of the table if absent. */
  readonly rows?: () => Iterable<R>;
}

/** The data structure of an index. */
export type KeptOf<R extends Row, I> =
  I extends StandingIndex<R>
    ? RowStandings<R>
    : I extends SumIndex<R>
      ? RowSums<R>
      : I extends GroupIndex<R>
        ? RowGroups<R>
        : RowLists<R>;

type Told<R> = Pick<KeptIndex<R>, 'replace'>;

/** The indexes of a table by name: those of the schema, late ones from their first use on, and some outside the schema. */
export class KeptIndexes<R extends Row> {
  readonly #byName = new Map<string, { readonly index: Index<R>; readonly kept: KeptIndex<R> }>();
  /** Names outside the schema, the most recently used last. */
  #asked: string[] = [];
  /** What is notified of every write: all indexes, and those that are being built. */
  #told: readonly Told<R>[] = [];

  constructor(
    private readonly schema: Readonly<Record<string, Index<R>>>,
    known: ReadonlyMap<string, { readonly kept: KeptIndex<R> }> = new Map(),
  ) {
    for (const [name, index] of Object.entries(schema)) {
      const kept = known.get(name)?.kept ?? (index.late ? undefined : keep(index));
      if (kept) this.#put(name, index, kept);
    }
  }

  /** These without indexes outside the schema, which may depend on other tables, and without those being built. */
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
  *prepare({ name, index: define, rows }: Required<AskedIndex<R>>): Resumable<void> {
    if (!this.#byName.has(name)) {
      const index = define();
      const made = yield* this.#make(index, [...rows()]);
      // Another request may have built it meanwhile.
      if (!this.#byName.has(name)) this.#put(name, index, made);
    }
    if (name in this.schema) return;
    this.#asked = [...this.#asked.filter((each) => each !== name), name];
    if (this.#asked.length > MOST_ASKED_FOR) this.#drop(this.#asked.shift() as string);
  }

  *#make(index: Index<R>, rows: readonly R[]): Resumable<KeptIndex<R>> {
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
  if ('compare' in index) return new RowStandings(index);
  if ('amounts' in index) return new RowSums(index);
  return 'group' in index ? new RowGroups(index) : new RowLists(index);
}
