import { FORMER_TABLES } from '../conversions.ts';
import type { Row } from '../row.ts';
import { TABLE_NAMES } from '../schema.ts';
import type { RowsEntry } from './entries.ts';
import type { Sharer } from './share-parts.ts';

export type StoredTables = Map<string, Map<string, Row>>;

/** Called with what cannot be used of an entry, and whether only because its world is not there; the rest is used. */
export type TellFlaw = (message: string, isOfNoWorld?: boolean) => void;

const KNOWN_TABLES = new Set<string>([...TABLE_NAMES, ...FORMER_TABLES]);

export function putRows(
  tables: StoredTables,
  { put = [], gone = [] }: RowsEntry,
  share: Sharer,
  flaw: TellFlaw,
): void {
  for (const [name, row] of put) {
    const rows = tableOf(tables, name, flaw);
    if (typeof row?.id === 'string') rows?.set(row.id, share(row));
    else flaw(`A row of ${name} has no id: ${JSON.stringify(row)?.slice(0, 80)}`);
  }
  for (const [name, id] of gone) tableOf(tables, name, flaw)?.delete(id);
}

function tableOf(tables: StoredTables, name: string, flaw: TellFlaw): Map<string, Row> | undefined {
  if (!KNOWN_TABLES.has(name)) return void flaw(`There is no table ${JSON.stringify(name)}.`);
  const rows = tables.get(name) ?? new Map<string, Row>();
  tables.set(name, rows);
  return rows;
}
