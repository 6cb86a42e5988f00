import type { Ranking, RankingIndex, Sums } from '../indexes/row-index.ts';
import type { Rankings } from '../indexes/row-rankings.ts';
import { type Compare, lastOfAll, type Places } from '../indexes/sorted-rows.ts';
import type { Row } from '../row.ts';
import type { Table } from '../table.ts';
import { runTimeSliced } from '../time-sliced.ts';

/** The rows that a query found. */
export interface Found<R> {
  readonly length: number;
  /** A page of them, newest first. */
  newest(offset: number, limit: number): R[];
}

export const foundInRows = <R>(rows: Places<R>): Found<R> => ({
  length: rows.length,
  newest(offset, limit) {
    const last = rows.length - 1 - offset;
    const count = Math.max(0, Math.min(limit, last + 1));
    return Array.from({ length: count }, (_, place) => rows.at(last - place) as R);
  },
});

/** Those of several lists, each sorted. */
export const foundInGroups = <R>(groups: readonly Places<R>[], compare: Compare<R>): Found<R> => ({
  length: groups.reduce((total, { length }) => total + length, 0),
  newest: (offset, limit) => lastOfAll(groups, compare, { offset, limit }),
});

export type { Ranking, Rankings, Sums };

/** What is asked: what rows have in common, with the sums of their amounts, in an order. */
export interface RankQuery<R> extends RankingIndex<R> {
  /** Names the query. It is counted once, and then follows every write. */
  readonly named: string;
  /** The only rows that can have a key, if the caller knows them. */
  readonly rows?: () => Iterable<R>;
}

/** Calls `answer` with the ranking that a query asks for: at once if few rows are counted, else in slices. */
export function rank<R extends Row, N extends string, T>(
  table: Table<R, N>,
  { named, rows = () => table.values(), ...index }: RankQuery<R>,
  answer: (rankings: Rankings) => T,
): T | Promise<T> {
  return runTimeSliced(table.onDemand({ name: named, index: () => index, rows }, answer));
}
