import { KeySet } from '../domain/key-set.ts';
import type { Finding } from '../domain/rules.ts';
import { compiledSchemas } from './compiled.ts';
import { describeErrors } from './findings.ts';

/** Records by table, as in a file. */
export type TablesOfFile = Readonly<Record<string, readonly unknown[]>>;

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
  const judges = compiledSchemas('rows');
  const findings: Finding[] = [];
  for (const [table, rows] of Object.entries(tables)) {
    const judge = judges(table);
    if (!judge) findings.push({ field: `tables.${table}`, message: 'There is no such table.' });
    const known = new KeySet();
    for (const [place, row] of judge ? rows.entries() : []) {
      if (findings.length >= MAX_FINDINGS) return findings;
      const field = `tables.${table}[${place}]`;
      findings.push(
        ...(judge?.(row)
          ? findMisplaced(field, row as PlacedRow, known, sequence)
          : within(field, describeErrors(judge?.errors ?? []))),
      );
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

function findMisplaced(
  field: string,
  { id, seq }: PlacedRow,
  known: KeySet,
  sequence: number,
): Finding[] {
  const isRepeated = !known.add(id);
  return [
    ...(isRepeated ? [{ field: `${field}.id`, message: 'An id is assigned once.' }] : []),
    ...(Number.isInteger(seq) && seq <= sequence
      ? []
      : [{ field: `${field}.seq`, message: `Expected a place up to ${sequence}.` }]),
  ];
}
