import type { Finding } from '../domain/rules.ts';
import { findMisfits } from '../store/records/references.ts';
import type { Row } from '../store/row.ts';
import { type RecordTables, TABLE_NAMES, type Tables } from '../store/schema.ts';
import type { Table } from '../store/table.ts';
import { runToCompletion, type TimeSliced } from '../store/time-sliced.ts';
import { verifyFees } from './fees.ts';
import { INVARIANTS, type Violation } from './invariant.ts';
import { ledgerViolations } from './ledger.ts';
import { verifyPhases } from './phases.ts';
import { verifyRevenue } from './revenue.ts';
import { verifySums } from './totals.ts';

/** All violations in a world, with those of its indexes. */
export const findViolations = (tables: Tables): Violation[] =>
  runToCompletion(verifyIndexes(tables)).concat(runToCompletion(recordViolations(tables)));

/** The violations in the records alone. */
export function* recordViolations(tables: RecordTables): TimeSliced<Violation[]> {
  const transactions = yield* ledgerViolations(tables);
  const fees = yield* verifyFees(tables);
  const revenue = yield* verifyRevenue(tables);
  const phases = yield* verifyPhases(tables);
  const sums = yield* verifySums(tables);
  return [...transactions, ...fees, ...revenue, ...phases, ...sums];
}

/** Broken references and violations of invariants in records from a file. `platform` is the platform account of the world. */
export function* findDefects(
  tables: RecordTables,
  platform: string,
  { withLedger = true } = {},
): TimeSliced<Finding[]> {
  const misfits = yield* findMisfits(tables, platform);
  const violations = withLedger ? yield* recordViolations(tables) : [];
  return [
    ...misfits.map(({ table, id, message }) => ({ field: nameOf(table, id), message })),
    ...violations.map(({ invariant, id, message }) => ({
      field: nameOf('ledger', id),
      message: `${INVARIANTS[invariant]} ${message}`,
    })),
  ];
}

/** The name of a record in findings; the parts of its key are separated by line feeds. */
const nameOf = (table: string, id: string): string => `${table}: ${id.replaceAll('\n', ' ')}`;

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
