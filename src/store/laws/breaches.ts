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

/** All breaches in a world, with those of its indexes. */
export const findBreaches = (tables: Tables): Breach[] =>
  runToEnd(verifyIndexes(tables)).concat(runToEnd(findingBreaches(tables)));

/** The same in steps without the indexes' rows, for tables that do not change meanwhile. */
export function* findingBreaches(tables: ReadableTables): Resumable<Breach[]> {
  const breaches = yield* recordBreaches(tables);
  const books = yield* verifyIndexSums(tables);
  return [...breaches, ...books];
}

/** The breaches in the records alone. */
export function* recordBreaches(tables: RecordTables): Resumable<Breach[]> {
  const transactions = yield* ledgerBreaches(tables);
  const fees = yield* verifyFees(tables);
  const revenue = yield* verifyRevenue(tables);
  const holdings = yield* verifyHoldings(tables);
  const sums = yield* verifySums(tables);
  return [...transactions, ...fees, ...revenue, ...holdings, ...sums];
}

/** Broken references and breaches of laws in records from a file. `platform` is the platform account of the world. */
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

/** The name of a record in findings; the parts of its key are separated by line feeds. */
const nameOf = (table: string, id: string): string => `${table}: ${id.replaceAll('\n', ' ')}`;
