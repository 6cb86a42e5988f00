import type { Ranking, RankingIndex, Sums } from '../indexes/row-index.ts';
import type { Rankings } from '../indexes/row-rankings.ts';
import type { Row } from '../row.ts';
import type { Table } from '../table.ts';
import { runTimeSliced } from '../time-sliced.ts';

export type { Ranking, Rankings, Sums };

/** What is asked: what rows have in common, with the sums of their amounts, in an order. */
export interface RankQuery<R> extends RankingIndex<R> {
  /** Names the query. It is counted once, and then follows every write. */
  readonly named: string;
}

/** Calls `answer` with the ranking that a query asks for: at once if few rows are counted, else in slices. */
export function rank<R extends Row, N extends string, T>(
  table: Table<R, N>,
  { named, ...index }: RankQuery<R>,
  answer: (rankings: Rankings) => T,
): T | Promise<T> {
  return runTimeSliced(table.onDemand({ name: named, index: () => index }, answer));
}
