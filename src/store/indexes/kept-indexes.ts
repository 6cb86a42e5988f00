import type { Row } from '../row.ts';
import type { TimeSliced } from '../time-sliced.ts';
import type {
  DueIndex,
  GroupIndex,
  Index,
  KeptIndex,
  RankingIndex,
  SchemaIndex,
  SortedIndex,
} from './row-index.ts';
import { DueRows, RowGroups, RowLists, SortedLists } from './row-lists.ts';
import { RowRankings } from './row-rankings.ts';

/** How many on-demand indexes are kept: the most recently used. */
const MAX_ON_DEMAND = 8;

/** An on-demand index: outside the schema, with a name of its own. */
export interface OnDemandIndex<R, I extends Index<R> = Index<R>> {
  readonly name: string;
  readonly index: I;
  /** A superset of the rows that it will hold; all rows of the table if absent. */
  readonly rows?: () => Iterable<R>;
}

/** The data structure that is built for an index of type `I`, as its reader gets it. */
export type StructureOf<R extends Row, I> =
  I extends RankingIndex<R>
    ? RowRankings<R>
    : I extends GroupIndex<R>
      ? RowGroups<R>
      : I extends DueIndex<R>
        ? DueRows<R>
        : I extends SortedIndex<R>
          ? SortedLists<R>
          : RowLists<R>;

type Notified<R> = Pick<KeptIndex<R>, 'replace'>;

/** The indexes of a table by name: those of the schema, and some on-demand ones. */
export class KeptIndexes<R extends Row> {
  readonly #byName = new Map<string, KeptIndex<R>>();
  /** Names of on-demand indexes, the most recently used last. */
  #onDemand: string[] = [];
  /** What is notified of every write: all indexes, and those that are being built. */
  #notified: readonly Notified<R>[] = [];

  constructor(
    private readonly schema: Readonly<Record<string, SchemaIndex<R>>>,
    known: ReadonlyMap<string, KeptIndex<R>> = new Map(),
  ) {
    for (const [name, index] of Object.entries(schema)) {
      this.#put(name, known.get(name) ?? keep(index));
    }
  }

  /** These without on-demand indexes, which may depend on other tables, and without those being built. */
  ofSchema(): KeptIndexes<R> {
    return new KeptIndexes(this.schema, this.#byName);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  get<K extends KeptIndex<R>>(name: string): K {
    return this.#byName.get(name) as K;
  }

  entries(): Iterable<readonly [name: string, kept: KeptIndex<R>]> {
    return this.#byName;
  }

  replace(before: R | undefined, after: R | undefined): void {
    for (const each of this.#notified) each.replace(before, after);
  }

  /** Builds an index from the present rows, unless it exists. */
  *prepare({ name, index, rows }: Required<OnDemandIndex<R>>): TimeSliced<void> {
    if (!this.#byName.has(name)) {
      const made = yield* this.#make(index, [...rows()]);
      // Another request may have built it meanwhile.
      if (!this.#byName.has(name)) this.#put(name, made);
    }
    this.#onDemand = [...this.#onDemand.filter((each) => each !== name), name];
    if (this.#onDemand.length > MAX_ON_DEMAND) this.#drop(this.#onDemand.shift() as string);
  }

  *#make(index: Index<R>, rows: readonly R[]): TimeSliced<KeptIndex<R>> {
    const made = keep(index);
    const missed: (readonly [R | undefined, R | undefined])[] = [];
    const note: Notified<R> = { replace: (before, after) => missed.push([before, after]) };
    this.#notified = [...this.#notified, note];
    try {
      for (const row of rows) {
        made.replace(undefined, row);
        yield;
      }
      if (made.arrange) yield* made.arrange();
    } finally {
      this.#notified = this.#notified.filter((each) => each !== note);
    }
    for (const [before, after] of missed) made.replace(before, after);
    return made;
  }

  #put(name: string, kept: KeptIndex<R>): void {
    this.#byName.set(name, kept);
    this.#notified = [...this.#notified, kept];
  }

  #drop(name: string): void {
    const gone = this.get(name);
    this.#byName.delete(name);
    this.#notified = this.#notified.filter((each) => each !== gone);
  }
}

function keep<R extends Row>(index: Index<R>): KeptIndex<R> {
  if ('amounts' in index) return new RowRankings(index);
  if ('due' in index) return new DueRows(index);
  if ('group' in index) return new RowGroups(index);
  return 'order' in index ? new SortedLists(index) : new RowLists(index);
}
