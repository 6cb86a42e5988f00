import type { Row } from '../store/row.ts';
import { TABLE_NAMES, type Tables } from '../store/schema.ts';
import type { Table } from '../store/table.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import type { Violation } from './invariant.ts';

/** Verifies that each index has exactly the rows of its table, each in its place. */
export function* verifyIndexes(tables: Tables): TimeSliced<Violation[]> {
  const violations: Violation[] = [];
  for (const name of TABLE_NAMES) {
    const table = tables[name] as unknown as Table<Row>;
    for (const place of yield* table.staleIndexes()) {
      const message = 'Its rows differ from the rows of the table, or their order does.';
      violations.push({ invariant: 'index_complete', id: `${name} ${place}`, message });
    }
  }
  return violations;
}
