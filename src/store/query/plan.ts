import type { ListIndex } from '../indexes/row-index.ts';
import { compareBy } from '../indexes/sorted-rows.ts';
import type { Row } from '../row.ts';
import { ALL, key } from '../schema.ts';
import type { Table } from '../table.ts';
import type { Query } from './query.ts';

/** The maximum number of rows to look at at once, which takes less than a time slice. */
const AT_ONCE = 1_000;

/** How the rows that can match a query are found. */
export interface QueryPlan<R> {
  /** The rows to look at, of this moment. */
  rows(): readonly R[];
  /** Whether a look at each of them would be noticeably slow. */
  readonly areMany: boolean;
  /** Whether they are all with the values that the query states, in its order. */
  readonly isComplete: boolean;
  /** Whether a row has the values that are not certain yet. */
  hasValues(row: R): boolean;
  /** Sorts them, if they are not in the order of the query. */
  readonly compare: ((left: R, right: R) => number) | undefined;
  /** An index of them by the values that are not certain, in the order of the query; its name, and the key to look up. */
  readonly index: ListIndex<R>;
  readonly name: string;
  readonly key: string;
}

/** Chooses the index of the schema that leaves the fewest values to look at. */
export function planOf<R extends Row, N extends string>(
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
  const index: ListIndex<R> = {
    key: (row) =>
      path === undefined || path.key(row) === at ? valuesOf(row as Values) : undefined,
    ...(order !== undefined && { order: (row: R) => String(row[order]) }),
  };
  const hasAllValues = left.length === 0 && ignoringCase.length === 0;
  const isSorted = order === undefined && path?.isByCreation === true;
  return {
    rows,
    areMany: !among && (path ? rows().length : table.size) > AT_ONCE,
    isComplete: hasAllValues && isSorted,
    hasValues: (row) => hasAllValues || valuesOf(row as Values) === wanted,
    compare: isSorted ? undefined : compareBy(index),
    index,
    name: [path?.name, at, ...left, ...ignoringCase.map((field) => `~${field}`), order].join(' '),
    key: wanted,
  };
}

type Values = Readonly<Record<string, unknown>>;

const namesOf = (values: Values): string[] =>
  Object.keys(values).filter((name) => values[name] !== undefined);
