import type { Finding } from '../domain/rules.ts';
import { compiledSchemas } from './compiled.ts';
import { describeErrors } from './findings.ts';

/** Records by table, as in a file. */
type TablesOfFile = Readonly<Record<string, readonly unknown[]>>;

interface PlacedRow {
  readonly id: string;
  readonly seq: number;
}

/** Maximum findings of one file, because each record can repeat a mistake. */
const MAX_FINDINGS = 1_000;

/**
 * Finds what is wrong with the records of a file: tables, fields, identifiers and positions in the order of
 * creation, of which `sequence` is the last. It yields between records, so that callers can pause it.
 */
export function* findMisshapen(
  tables: TablesOfFile,
  sequence: number,
): Generator<undefined, Finding[], undefined> {
  const schemas = compiledSchemas('rows');
  const findings: Finding[] = [];
  for (const [table, rows] of Object.entries(tables)) {
    const validate = schemas(table);
    if (!validate) findings.push({ field: `tables.${table}`, message: 'There is no such table.' });
    const known = new Set<string>();
    for (const [place, row] of validate ? rows.entries() : []) {
      if (findings.length >= MAX_FINDINGS) return findings;
      // The name of a row is only made for one that is wrong, as most are right.
      const wrong = validate?.(row)
        ? findMisplaced(row as PlacedRow, known, sequence)
        : describeErrors(validate?.errors ?? []);
      if (wrong.length > 0) findings.push(...within(`tables.${table}[${place}]`, wrong));
      yield;
    }
  }
  return findings;
}

function within(place: string, findings: readonly Finding[]): Finding[] {
  return findings.map(({ field, message }) => ({
    field: field === '' ? place : `${place}.${field}`,
    message,
  }));
}

/** What is wrong with the identifier of a row, and with its place in the order of creation. */
function findMisplaced(
  { id, seq }: PlacedRow,
  known: Set<string>,
  sequence: number,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (known.has(id))
    findings.push({ field: 'id', message: 'Another row of the table has this id.' });
  known.add(id);
  if (!Number.isInteger(seq) || seq < 0 || seq > sequence) {
    const message = `Expected a place in the order of creation, from 0 to ${sequence}.`;
    findings.push({ field: 'seq', message });
  }
  return findings;
}
