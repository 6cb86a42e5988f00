import { format, isZero } from '../domain/decimal.ts';
import type { ReadableTables } from '../store/captured-tables.ts';
import { RowSums, type SumIndex, type Sums } from '../store/indexes/row-index.ts';
import type { Row } from '../store/row.ts';
import { TABLE_NAMES, type Tables } from '../store/schema.ts';
import type { Table } from '../store/table.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Violation } from './invariant.ts';

/** Recalculates the running sums of all indexes. */
export function* verifyIndexSums(tables: ReadableTables): TimeSliced<Violation[]> {
  const violations: Violation[] = [];
  for (const name of TABLE_NAMES) {
    const table = tables[name] as unknown as Pick<Table<Row>, 'indexes' | 'values' | 'sums'>;
    for (const [place, index] of Object.entries(table.indexes)) {
      if (!('amounts' in index)) continue;
      const counted = new RowSums(index as SumIndex<Row>);
      for (const row of table.values()) {
        counted.replace(undefined, row);
        yield;
      }
      violations.push(
        ...(yield* compareSums(`${name} ${place}`, counted.all(), table.sums(place))),
      );
    }
  }
  return violations;
}

type SumsByKey = ReadonlyMap<string, Sums>;

function compareSums(index: string, counted: SumsByKey, kept: SumsByKey): TimeSliced<Violation[]> {
  return findInEach(new Set([...counted.keys(), ...kept.keys()]), (key) => {
    const place = { id: `${index} ${key.replaceAll('\n', ' ')}` };
    return differing('sum_recounted', place, say(counted.get(key)), say(kept.get(key)));
  });
}

function say(sums: Sums | undefined): string {
  if (!sums) return 'nothing';
  const amounts = [...sums].filter(([, amount]) => !isZero(amount));
  return amounts
    .map(([name, amount]) => `${name} ${format(amount)}`)
    .sort()
    .join(', ');
}

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
