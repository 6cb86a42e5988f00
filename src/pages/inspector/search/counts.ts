import { type Decimal, ONE } from '../../../domain/decimal.ts';
import type { Instant } from '../../../domain/instant.ts';
import { ask, type Ranking, type Rankings, rank } from '../../../store/query.ts';
import type { Row } from '../../../store/row.ts';
import type { Table } from '../../../store/table.ts';
import { shortName } from '../../wording.ts';
import { matcherOf, momentOf, parseSearch } from './search.ts';

/** Searches by their labels. */
export type Chips = Readonly<Record<string, string>>;

/** How many rows searches find, as far as that is known. */
export interface SearchCounts {
  readonly byQuery: ReadonlyMap<string, number>;
  /** Searches for the rows of a kind, the most frequent kinds first. */
  readonly kinds?: Chips;
}

/** The chips of a list, in groups, with the counts beside them. */
export interface ChipCounts {
  readonly groups: readonly Chips[];
  /** The search that the chips extend. */
  readonly search: string;
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

/** What is counted of the rows of a table. It depends on nothing but the row. */
interface Counted<R> {
  /** The field of the search that contains the kind of a row. */
  readonly field: string;
  readonly kindOf: (row: R) => string;
  readonly labelOf?: (kind: string) => string;
  /** Common searches, and whether each finds a row. */
  readonly finds?: Readonly<Record<string, (row: R) => boolean>>;
}

type Count = readonly [q: string, count: number];

/** More kinds are too many to choose from. */
const MAX_KINDS = 100;
const MAX_SHOWN = 8;
const ROWS = 'rows';

/** Counts the rows of a table by an index, which then follows every write; `others` are added. */
export function countRows<R extends Row, N extends string>(
  table: Table<R, N>,
  { field, kindOf, labelOf = (kind) => kind, finds = {} }: Counted<R>,
  others: readonly Count[] = [],
): SearchCounts | Promise<SearchCounts> {
  const searches = Object.entries(finds);
  const amounts = (row: R) => [
    [ROWS, ONE] as const,
    ...searches.filter(([, isFound]) => isFound(row)).map(([q]) => [q, ONE] as const),
  ];
  const query = { named: `counts by ${field}`, key: kindOf, amounts, compare: mostRowsFirst };
  return rank(table, query, (ranked) => {
    const kinds = kindsOf(ranked, field);
    const found = searches.map(([q]): Count => [q, numberOf(ranked.total.get(q))]);
    return {
      byQuery: new Map([...others, ...found, ...kinds.map(({ q, count }): Count => [q, count])]),
      kinds: Object.fromEntries(kinds.map(({ kind, q }) => [shortName(labelOf(kind)), q])),
    };
  });
}

/** Counts the rows that searches such as `after:-1d` find, by a time. */
export const countSince = <R extends Row, N extends string>(
  table: Table<R, N>,
  order: string & keyof R,
  searches: readonly string[],
  now: Instant,
): readonly Count[] | Promise<readonly Count[]> =>
  ask(table, { facet: () => '', order }, (found) =>
    searches.map((q): Count => {
      const bound = momentOf(q.replace('after:', ''), now);
      return [q, found.length - found.countWhile((row) => String(row[order]) < bound)];
    }),
  );

/** The most frequent kinds. A search for a kind also finds those that have it as a word. */
function kindsOf({ order }: Rankings, field: string) {
  if (order.length < 2 || order.length > MAX_KINDS) return [];
  const kinds = [...order].map(({ key, sums }) => ({ kind: key, rows: numberOf(sums.get(ROWS)) }));
  return kinds.slice(0, MAX_SHOWN).map(({ kind }) => {
    const q = `${field}:${/\s/.test(kind) ? `"${kind}"` : kind}`;
    const fits = matcherOf(kind.toLowerCase());
    const found = kinds.filter((each) => fits(each.kind.toLowerCase()));
    return { kind, q, count: found.reduce((total, { rows }) => total + rows, 0) };
  });
}

const numberOf = (count: Decimal | undefined): number => Number(count ?? 0);

const mostRowsFirst = (left: Ranking, right: Ranking): number =>
  numberOf(right.sums.get(ROWS)) - numberOf(left.sums.get(ROWS)) || (left.key < right.key ? -1 : 1);
