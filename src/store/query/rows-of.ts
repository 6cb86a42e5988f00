import type { Row } from '../row.ts';
import type { Table } from '../table.ts';
import { planOf } from './plan.ts';

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
  if (path?.isByCreation && path.fields.length === names.length) return path.rows(where as R);
  const plan = planOf(table, { where });
  const found = plan.rows().filter(plan.hasValues);
  return plan.compare ? found.sort(plan.compare) : found;
}
