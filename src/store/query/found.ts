import { lastOfAll } from '../indexes/last-of-all.ts';
import type { Compare, Places } from '../indexes/sorted-rows.ts';

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
