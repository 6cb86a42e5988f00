import fc from 'fast-check';
import type { WorldFile } from '../../../src/store/world-file.ts';

/** For tests: random numbers that choose one change of an export. */
export type Dice = readonly [number, number, number, number];
export const diceArbitrary: fc.Arbitrary<Dice> = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());

type Json = Record<string, unknown>;

export interface Mutation {
  readonly file: WorldFile;
  /** The changed table, or `clock`, `requests` or `sequence`. */
  readonly table: string;
}

const HEAD = ['clock', 'requests', 'sequence'] as const;

/** A copy of an export with a single change. */
export function mutateExport(given: WorldFile, [where, which, field, how]: Dice): Mutation {
  const file = structuredClone(given) as unknown as Json & { tables: Record<string, Json[]> };
  const tables = Object.keys(file.tables);
  const table = [...HEAD, ...tables][where % (HEAD.length + tables.length)] as string;
  const rows = file.tables[table];
  if (rows) changeRows(rows, which % rows.length, field, how);
  else if (table === 'clock') changeField(file['clock'] as Json, field, how);
  else file[table] = (file[table] as number) + 1;
  return { file: file as unknown as WorldFile, table };
}

function changeRows(rows: Json[], place: number, field: number, how: number): void {
  const row = rows[place] as Json;
  if (how % 5 === 0) rows.splice(place, 1);
  else if (how % 5 === 1) rows.push({ ...row, id: `${row['id']} again` });
  else changeField(row, field, how);
}

/** Changes a field at any depth, except the id of a row. */
function changeField(holder: Json, field: number, how: number): void {
  const names = Object.keys(holder).filter((name) => name !== 'id');
  const name = names[field % names.length] as string;
  const value = holder[name];
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && how % 3 !== 0)
    changeField(value as Json, Math.floor(field / names.length), how);
  else if (how % 4 === 0 && !Array.isArray(holder)) delete holder[name];
  else if (how % 4 === 1 && !Array.isArray(holder)) holder[`${name}_too`] = null;
  else holder[name] = otherValue(value, how);
}

/** A different value, which may look similar. */
function otherValue(value: unknown, how: number): unknown {
  if (typeof value === 'string') return how % 2 === 0 ? `${value}0` : { text: value };
  if (typeof value === 'number') return how % 2 === 0 ? String(value) : value + 1;
  return value === null ? false : null;
}
