import type { Decimal } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TimeSliced } from '../time-sliced.ts';

/**
 * What an index holds, by the members of its definition:
 *
 * | definition     | its own member       | data structure | holds                                               |
 * |----------------|----------------------|----------------|-----------------------------------------------------|
 * | `ListIndex`    |                      | `RowLists`     | the rows of each key                                |
 * | `SortedIndex`  | `order`              | `SortedLists`  | the rows of each key, sorted                        |
 * | `DueIndex`     | `due`                | `DueRows`      | the rows that wait for each kind, the soonest first |
 * | `GroupIndex`   | `group`              | `RowGroups`    | the rows of each key, in groups, each sorted        |
 * | `RankingIndex` | `amounts`, `compare` | `RowRankings`  | running sums of each key, and the keys in order     |
 *
 * The first three are in the schema, and built with their table. A query makes the others, and further lists, on demand
 * (`Table.onDemand`); they are dropped when others are used more recently. Only lists in the order of creation are arrays:
 * in a random order, a row among 300,000 was added to an array in 200 µs, to blocks (`SortedRows`) in 6 µs (2026-11-30).
 */

/** The rows of each key in the order of creation. */
export interface ListIndex<R> {
  /** A row without a key is not indexed. */
  key(row: R): string | undefined;
  /** The fields that the key is made of, if a query that gives their values may take the rows under it. */
  readonly fields?: readonly string[];
}

/** The rows of each key by a text; those with equal texts in the order of creation. */
export interface SortedIndex<R> {
  key(row: R): string | undefined;
  order(row: R): string;
}

/** For rows that wait for instants: when they are due, by kind. */
export interface DueIndex<R> {
  readonly due: Readonly<Record<string, (row: R) => Instant | null | undefined>>;
}

/** For filters that select whole groups: the rows of a key are divided into them, each in an order. */
export interface GroupIndex<R> {
  key(row: R): string | undefined;
  group(row: R): string;
  /** The order of creation if absent. */
  readonly order?: ((row: R) => string) | undefined;
}

export type Sums = ReadonlyMap<string, Decimal>;

/** A key with the running sums of its rows. */
export interface Ranking {
  readonly key: string;
  readonly sums: Sums;
}

/** Running sums over the rows under one key, by name; the keys are kept in a strict order. */
export interface RankingIndex<R> {
  key(row: R): string | undefined;
  amounts(row: R): Iterable<readonly [name: string, amount: Decimal]>;
  compare(left: Ranking, right: Ranking): number;
}

/** An index of the schema. */
export type SchemaIndex<R> = ListIndex<R> | SortedIndex<R> | DueIndex<R>;
export type Index<R> = SchemaIndex<R> | GroupIndex<R> | RankingIndex<R>;

/** The data structure of an index, notified of every row that is added, removed or replaced. */
export interface KeptIndex<R> {
  replace(before: R | undefined, after: R | undefined): void;
  /** Whether it holds a row of the table in its place. */
  holds(row: R): boolean;
  rows(): Iterable<R>;
  /** Sorts once after it was built from many rows, if that is cheaper than after each row. */
  arrange?(): TimeSliced<void>;
}
