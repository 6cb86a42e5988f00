import { compareBy, type ListIndex } from '../indexes/row-index.ts';
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
  /** Whether they are all that `where` asks for, in the order of the query. */
  readonly isComplete: boolean;
  /** What they still have to meet of `where`. */
  readonly rest: readonly ((row: R) => boolean)[];
  /** Sorts them, if they are not in the order of the query. */
  readonly compare: ((left: R, right: R) => number) | undefined;
  /** An index of them by the fields that are left, in the order of the query; its name, and the key to look up. */
  readonly index: ListIndex<R>;
  readonly name: string;
  readonly key: string;
}

/** Chooses the index of the schema that leaves the fewest fields of `where` to look at. */
export function planOf<R extends Row, N extends string>(
  table: Table<R, N>,
  { where, among, order }: Query<R>,
): QueryPlan<R> {
  const fields = (Object.keys(where) as (string & keyof R)[]).filter(
    (field) => where[field] !== undefined,
  );
  const path = among ? undefined : table.pathOf(fields);
  const at = path?.key(where as R);
  const left = fields.filter((field) => !path?.fields.includes(field));
  const valuesOf = (row: Readonly<Partial<R>>): string => {
    const [first = ALL, ...others] = left.map((field) => String(row[field]));
    return key(first, ...others);
  };
  const rows = () => among ?? path?.rows(where as R) ?? [...table.values()];
  const index: ListIndex<R> = {
    key: (row) => (path === undefined || path.key(row) === at ? valuesOf(row) : undefined),
    ...(order !== undefined && { order: (row: R) => String(row[order]) }),
  };
  const isSorted = order === undefined && path?.isByCreation === true;
  return {
    rows,
    areMany: !among && rows().length > AT_ONCE,
    isComplete: left.length === 0 && isSorted,
    rest: left.map((field) => (row: R) => row[field] === where[field]),
    compare: isSorted ? undefined : compareBy(index),
    index,
    name: [path?.name, at, ...left, order].join(' '),
    key: valuesOf(where),
  };
}
