import { bisect } from '../domain/collections.ts';
import type { GroupIndex, ListIndex, Ranking, RankingIndex, Sums } from './indexes/row-index.ts';
import type { Rankings } from './indexes/row-rankings.ts';
import { compareBy, lastOfAll, type Places } from './indexes/sorted-rows.ts';
import type { Row } from './row.ts';
import { ALL, key } from './schema.ts';
import type { Table } from './table.ts';
import { runTimeSliced, type TimeSliced } from './time-sliced.ts';

export type Condition<R> = (row: R) => boolean;

/** Which rows of a table are wanted. */
export interface Filter<R extends Row> {
  /** The values that fields must have. */
  readonly where?: Readonly<Partial<R>>;
  /** The texts that fields must have, whatever the case of either. */
  readonly alike?: { readonly [F in keyof R]?: string | undefined };
  /** Only these rows, if the caller knows the few that can match. */
  readonly among?: readonly R[] | undefined;
  /** What else each row must meet. */
  readonly fits?: readonly Condition<R>[];
  /** Names `fits`, if the same filter is likely to be asked for again. */
  readonly named?: string | undefined;
}

/** What is asked of a table: filter and order. A page is taken of what is found. */
export interface Query<R extends Row> extends Filter<R> {
  /** All that `fits` looks at, so that it meets all rows of one facet or none. */
  readonly facet?: ((row: R) => string) | undefined;
  /** The field by which rows are sorted, in a query with a facet; by their creation if absent. */
  readonly order?: string & keyof R;
}

/** The maximum number of rows to look at at once, which takes less than a time slice. */
const AT_ONCE = 1_000;

/** How the rows that can match a query are found. */
interface QueryPlan<R> {
  /** The rows to look at, of this moment. */
  rows(): readonly R[];
  /** Whether a look at each of them would be noticeably slow. */
  readonly areMany: boolean;
  /** Whether they are all with the values that the query states, in its order. */
  readonly isComplete: boolean;
  /** Whether a row has the values that are not certain yet. */
  hasValues(row: R): boolean;
  /** The text by which they are wanted in order; by their creation if absent. */
  readonly order: ((row: R) => string) | undefined;
  /** Sorts them, if they are not in that order. */
  readonly compare: ((left: R, right: R) => number) | undefined;
  /** The key of a row in an index by the values that are not certain; the name of the index, and the key to look up. */
  keyOf(row: R): string | undefined;
  readonly name: string;
  readonly key: string;
}

/** Chooses the index of the schema that leaves the fewest values to look at. */
function planOf<R extends Row, N extends string>(
  table: Table<R, N>,
  { where = {} as Partial<R>, alike = {}, among, order }: Query<R>,
): QueryPlan<R> {
  const fields = namesOf(where);
  const path = among ? undefined : table.pathOf(fields);
  const at = path?.key(where as R);
  const left = fields.filter((field) => !path?.fields.includes(field));
  const ignoringCase = namesOf(alike);
  const valuesOf = (row: Values, texts: Values = row): string | undefined => {
    const lowered = ignoringCase.map((field) => texts[field] && String(texts[field]).toLowerCase());
    const values = [...left.map((field) => row[field]), ...lowered];
    return values.includes(undefined) ? undefined : key(ALL, ...values.map(String));
  };
  const wanted = valuesOf(where, alike) as string;
  const rows = () => among ?? path?.rows(where as R) ?? [...table.values()];
  const hasAllValues = left.length === 0 && ignoringCase.length === 0;
  const isSorted = order === undefined && path !== undefined;
  const textOf = order === undefined ? undefined : (row: R) => String(row[order]);
  return {
    rows,
    areMany: !among && (path ? rows().length : table.size) > AT_ONCE,
    isComplete: hasAllValues && isSorted,
    hasValues: (row) => hasAllValues || valuesOf(row as Values) === wanted,
    compare: isSorted ? undefined : compareBy(textOf),
    order: textOf,
    keyOf: (row) =>
      path === undefined || path.key(row) === at ? valuesOf(row as Values) : undefined,
    name: [path?.name, at, ...left, ...ignoringCase.map((field) => `~${field}`), order].join(' '),
    key: wanted,
  };
}

type Values = Readonly<Record<string, unknown>>;

const namesOf = (values: Values): string[] =>
  Object.keys(values).filter((name) => values[name] !== undefined);

/**
 * The rows with the values of fields, oldest first, at once: by an index of the schema or, in a table of few rows, looking
 * at each. For tables with many rows that no index divides, `select` waits.
 */
export function rowsOf<R extends Row, N extends string>(
  table: Table<R, N>,
  where = {} as Readonly<Partial<R>>,
): readonly R[] {
  const names = Object.keys(where);
  const path = table.pathOf(names);
  // An index of just these fields answers at once: a plan takes 10 µs, this 0.3 µs.
  if (path && path.fields.length === names.length) return path.rows(where as R);
  const plan = planOf(table, { where });
  const found = plan.rows().filter(plan.hasValues);
  return plan.compare ? found.sort(plan.compare) : found;
}

/**
 * Calls `answer` with the rows that meet a query: at once if few are looked at, else when they are found, in slices. They
 * are found
 *
 * - by the index of the schema with most of the fields in `where`;
 * - by the other values and `fits`, looking at each row, if few are left;
 * - if many are left, by an index that the first such query builds: of groups by `facet`, which `fits` selects as a whole,
 *   or of the rows with the same values, which `fits` selects if it is named;
 * - by what is left of `fits`, looking at each row.
 */
export function ask<R extends Row, N extends string, T>(
  table: Table<R, N>,
  query: Query<R>,
  answer: (found: Found<R>) => T,
): T | Promise<T> {
  const { facet, fits = [] } = query;
  const plan = planOf(table, query);
  if (!facet || !plan.areMany || (fits.length === 0 && plan.isComplete))
    return select(table, query, (rows) =>
      answer({ ...listed(rows), countWhile: (isBefore) => bisect(rows, isBefore) }),
    );
  return runTimeSliced(askingGroups(table, plan, { ...query, facet }, answer));
}

/** Finds rows in groups, as slices of work. */
function askingGroups<R extends Row, N extends string, T>(
  table: Table<R, N>,
  plan: QueryPlan<R>,
  { facet, fits = [] }: Query<R> & { readonly facet: (row: R) => string },
  answer: (found: Found<R>) => T,
): TimeSliced<T> {
  const index: GroupIndex<R> = { key: plan.keyOf, group: facet, order: plan.order };
  return table.onDemand({ name: `${plan.name} in groups`, index, rows: plan.rows }, (kept) => {
    const groups = kept
      .under(plan.key)
      .filter((rows) => fits.every((isMet) => isMet(rows.at(0) as R)));
    return answer({
      length: groups.reduce((total, { length }) => total + length, 0),
      newest: (offset, limit) => lastOfAll(groups, compareBy(plan.order), { offset, limit }),
      countWhile: (isBefore) =>
        groups.reduce((total, rows) => total + rows.countWhile(isBefore), 0),
    });
  });
}

/** The same as a list, oldest first, of which a page by cursors can be taken. */
export function select<R extends Row, N extends string, T>(
  table: Table<R, N>,
  filter: Filter<R>,
  answer: (rows: readonly R[]) => T,
): T | Promise<T> {
  const { named, fits = [] } = filter;
  const plan = planOf(table, filter);
  if (fits.length === 0 && plan.isComplete) return answer(plan.rows());
  if (!plan.areMany || (plan.isComplete && named === undefined))
    return runTimeSliced(filtering(plan.rows(), [plan.hasValues, ...fits], plan, answer));
  return runTimeSliced(listing(table, plan, { named, fits }, answer));
}

function* listing<R extends Row, N extends string, T>(
  table: Table<R, N>,
  plan: QueryPlan<R>,
  { named, fits }: { readonly named: string | undefined; readonly fits: readonly Condition<R>[] },
  answer: (rows: readonly R[]) => T,
): TimeSliced<T> {
  const isOfIndex = (row: R) => named === undefined || fits.every((isMet) => isMet(row));
  const index: ListIndex<R> = { key: (row) => (isOfIndex(row) ? plan.keyOf(row) : undefined) };
  const name = `${plan.name} ${named ?? ''}`;
  const rows = yield* table.onDemand({ name, index, rows: plan.rows }, (kept) =>
    kept.list(plan.key),
  );
  if (named !== undefined || fits.length === 0) return answer(rows);
  return yield* filtering(rows, fits, { compare: undefined }, answer);
}

/** Looks at each of the rows that exist at the start, and sorts what it finds. */
function* filtering<R, T>(
  rows: readonly R[],
  conditions: readonly Condition<R>[],
  { compare }: Pick<QueryPlan<R>, 'compare'>,
  answer: (found: readonly R[]) => T,
): TimeSliced<T> {
  const found: R[] = [];
  for (const row of [...rows]) {
    if (conditions.every((isMet) => isMet(row))) found.push(row);
    yield;
  }
  return answer(compare ? found.sort(compare) : found);
}

/** The given rows that meet a condition, of any list; in slices, if a look at each takes long. */
export const scan = <R>(
  rows: readonly R[],
  isWanted: Condition<R>,
): readonly R[] | Promise<readonly R[]> =>
  runTimeSliced(filtering(rows, [isWanted], { compare: undefined }, (found) => found));

/** Rows of which a page can be taken. */
export interface Listed<R> {
  readonly length: number;
  /** A page of them, the last first. */
  newest(offset: number, limit: number): R[];
}

/** The rows that a query found. */
interface Found<R> extends Listed<R> {
  /** How many at the start of their order meet a condition that no later one meets. */
  countWhile(isBefore: Condition<R>): number;
}

export const listed = <R>(rows: Places<R>): Listed<R> => ({
  length: rows.length,
  newest(offset, limit) {
    const last = rows.length - 1 - offset;
    const count = Math.max(0, Math.min(limit, last + 1));
    return Array.from({ length: count }, (_, place) => rows.at(last - place) as R);
  },
});

export type { Ranking, Rankings, Sums };
export { compareBy };

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
  return runTimeSliced(table.onDemand({ name: named, index, rows }, answer));
}
