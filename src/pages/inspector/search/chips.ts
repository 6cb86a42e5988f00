import type { InspectorRequest } from '../inspector-request.ts';
import { type Chips, type List, MAX_LOOKED_AT, rowMatcher } from './list.ts';
import { misunderstood, parseSearch } from './search.ts';

/** The chips of a list, in groups, with the counts beside them. */
export interface ChipCounts {
  readonly groups: readonly Chips[];
  /** The search that the chips extend. */
  readonly search: string;
  /** How many rows each search finds, as far as that is known. */
  readonly byQuery: ReadonlyMap<string, number>;
}

/** The term of a search that is a chip of a group; empty if there is none. */
export const chipOf = (search: string, group: Chips): string =>
  parseSearch(search).terms.find(({ text }) => Object.values(group).includes(text))?.text ?? '';

/** A search without the terms that are chips of a group, and with another term. */
export function withChip(search: string, group: Chips, chip: string): string {
  const inGroup = new Set(Object.values(group));
  const terms = parseSearch(search).terms.map(({ text }) => text);
  return [...terms.filter((text) => !inGroup.has(text)), chip].filter(Boolean).join(' ');
}

/** A search without the terms that are chips of any group. */
export const withoutChips = (search: string, groups: readonly Chips[]): string =>
  groups.reduce((left, group) => withChip(left, group, ''), search);

/** Returns how many rows each chip finds beside the rest of the search. In a long list chips have no counts. */
export function countChips<R extends object>(
  list: List<R>,
  rows: readonly R[],
  request: InspectorRequest,
): ChipCounts {
  const { chips: groups = [], fields } = list;
  const q = request.query('q');
  const search = misunderstood(parseSearch(q), Object.keys(fields)).length > 0 ? '' : q;
  const byQuery = new Map([['', rows.length]]);
  if (rows.length > MAX_LOOKED_AT) return { groups, search, byQuery };
  const found = (among: readonly R[], text: string): readonly R[] =>
    among.filter(rowMatcher(list, parseSearch(text), request));
  const all = withoutChips(search, groups);
  byQuery.set(all, found(rows, all).length);
  for (const group of groups) {
    const others = found(rows, withChip(search, group, ''));
    for (const chip of Object.values(group))
      byQuery.set(withChip(search, group, chip), found(others, chip).length);
  }
  return { groups, search, byQuery };
}
