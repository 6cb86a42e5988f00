import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Finding } from '../domain/rules.ts';
import { describeErrors } from './findings.ts';
import { COMPILED_SOON } from './validators.ts';

/** Records by table, as they stand in a file. */
export type TablesOfFile = Readonly<Record<string, readonly unknown[]>>;

interface PlacedRow {
  readonly id: string;
  readonly seq: number;
}

let compiled: ValidateFunction | undefined;

/**
 * What is wrong with records that come from a file: their tables, their fields, their identifiers and their
 * places in the order of creation, of which `sequence` is the last.
 */
export function findMisshapen(tables: TablesOfFile, sequence: number): readonly Finding[] {
  compiled ??= compile();
  if (!compiled({ tables })) return describeErrors(compiled.errors ?? []);
  return Object.entries(tables).flatMap(([name, rows]) =>
    findMisplaced(name, rows as readonly PlacedRow[], sequence),
  );
}

function findMisplaced(table: string, rows: readonly PlacedRow[], sequence: number): Finding[] {
  const known = new Set<string>();
  return rows.flatMap(({ id, seq }, place) => {
    const field = `tables.${table}[${place}]`;
    const isRepeated = known.has(id);
    known.add(id);
    return [
      ...(isRepeated ? [{ field: `${field}.id`, message: 'An id is given once.' }] : []),
      ...(Number.isInteger(seq) && seq <= sequence
        ? []
        : [{ field: `${field}.seq`, message: `Expected a place up to ${sequence}.` }]),
    ];
  });
}

function compile(): ValidateFunction {
  const rows = JSON.parse(readFileSync(new URL('rows.json', import.meta.url), 'utf8')) as object;
  const properties = Object.fromEntries(
    Object.entries(rows).map(([name, items]) => [name, { type: 'array', items }]),
  );
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    verbose: true,
    ...COMPILED_SOON,
  });
  return ajv.compile({
    type: 'object',
    properties: { tables: { type: 'object', properties, additionalProperties: false } },
  });
}
