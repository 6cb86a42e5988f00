import type { Finding } from '../../domain/rules.ts';
import type { ReadableTables, RecordTables } from '../captured-tables.ts';
import { type Resumable, runToEnd } from '../resumable.ts';
import type { Tables } from '../schema.ts';
import { verifyFees } from './fee-laws.ts';
import { verifyHoldings } from './holding-laws.ts';
import { verifyIndexes, verifyIndexSums } from './index-laws.ts';
import { type Breach, LAWS } from './law.ts';
import { ledgerBreaches } from './ledger-laws.ts';
import { findMisfits } from './reference-laws.ts';
import { verifyRevenue } from './revenue-laws.ts';
import { verifySums } from './totals-laws.ts';

/** Everything in a world that does not agree with its own records. */
export const findBreaches = (tables: Tables): Breach[] =>
  runToEnd(verifyIndexes(tables)).concat(runToEnd(findingBreaches(tables)));

/** The same bit by bit but for the indexes, for tables that nothing changes meanwhile. */
export function* findingBreaches(tables: ReadableTables): Resumable<Breach[]> {
  const breaches = yield* recordBreaches(tables);
  const books = yield* verifyIndexSums(tables);
  return [...breaches, ...books];
}

/** What does not agree in the records alone. */
export function* recordBreaches(tables: RecordTables): Resumable<Breach[]> {
  const transactions = yield* ledgerBreaches(tables);
  const fees = yield* verifyFees(tables);
  const revenue = yield* verifyRevenue(tables);
  const holdings = yield* verifyHoldings(tables);
  const sums = yield* verifySums(tables);
  return [...transactions, ...fees, ...revenue, ...holdings, ...sums];
}

/**
 * What in records that came from a file does not fit together, or breaks a law of the ledger. `platform` is the
 * account that the world belongs to.
 */
export function* findFlaws(
  tables: RecordTables,
  platform: string,
  { withLedger = true } = {},
): Resumable<Finding[]> {
  const misfits = yield* findMisfits(tables, platform);
  const breaches = withLedger ? yield* recordBreaches(tables) : [];
  return [
    ...misfits.map(({ table, id, message }) => ({ field: nameOf(table, id), message })),
    ...breaches.map(({ law, id, message }) => ({
      field: nameOf('ledger', id),
      message: `${LAWS[law]} ${message}`,
    })),
  ];
}

/** A record by its key, whose parts stand on lines of their own. */
const nameOf = (table: string, id: string): string => `${table}: ${id.replaceAll('\n', ' ')}`;
