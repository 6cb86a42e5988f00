import { readFileSync } from 'node:fs';
import type { TableDifference } from '../../../src/control/comparison/compare-worlds.ts';
import type { Row } from '../../../src/store/table.ts';
import type { WorldImage } from '../../../src/store/world.ts';

/** For tests: a field of an export, such as `grants` with the path `worth`, `amount`. In lists, the first item. */
export interface ExportField {
  readonly table: string;
  readonly path: readonly (string | number)[];
}

/** A function that compares two worlds. */
export type CompareImages = (from: WorldImage, to: WorldImage) => readonly TableDifference[];

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

const ROWS: Readonly<Record<string, Schema>> = JSON.parse(
  readFileSync(new URL('../../../src/spec/rows.json', import.meta.url), 'utf8'),
);

/** The fields of an export outside its tables. */
const BESIDE: readonly ExportField[] = [
  { table: 'clock', path: ['mode'] },
  { table: 'clock', path: ['at'] },
  { table: 'clock', path: ['offset_ms'] },
  { table: 'requests', path: ['count'] },
  { table: 'sequence', path: ['count'] },
];

/** All fields of an export at any depth, from the schema of its rows. Excludes ids, which pair the rows. */
export const EXPORT_FIELDS: readonly ExportField[] = [
  ...BESIDE,
  ...Object.entries(ROWS).flatMap(([table, schema]) =>
    leavesOf(schema)
      .filter((path) => path.join() !== 'id')
      .map((path) => ({ table, path })),
  ),
];

function leavesOf(schema: Schema): readonly ExportField['path'][] {
  const { anyOf, properties, items, additionalProperties: others } = schema;
  const inner: readonly (readonly [string | number, Schema])[] = [
    ...Object.entries(properties ?? {}),
    ...(items ? [[0, items] as const] : []),
    ...(typeof others === 'object' ? [['any', others] as const] : []),
  ];
  const paths = [
    ...(anyOf ?? []).flatMap(leavesOf),
    ...inner.flatMap(([name, each]) => leavesOf(each).map((path) => [name, ...path])),
  ];
  return paths.length === 0
    ? [[]]
    : [...new Map(paths.map((path) => [path.join(), path])).values()];
}

/** The name of a field in a comparison. */
export const nameOfField = ({ table, path }: ExportField): string =>
  path.reduce<string>(
    (name, step) => name + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    table,
  );

/** The fields whose sole change, addition or removal a comparison does not report. */
export function missedFields(
  compare: CompareImages,
  fields: readonly ExportField[],
): readonly string[] {
  return fields
    .filter((field) => !VALUES.every((values) => isTold(compare, field, values)))
    .map(nameOfField);
}

const VALUES = [
  ['1', '2'],
  ['1', '1.0'],
  ['1', 1],
  [null, undefined],
] as const;

function isTold(compare: CompareImages, field: ExportField, values: readonly unknown[]): boolean {
  const [from, to] = values.map((value) => imageWith(field, value)) as [WorldImage, WorldImage];
  const told = compare(from, to).flatMap(({ table, rows }) =>
    rows.flatMap(({ fields }) => fields.map((each) => `${table}.${each.field}`)),
  );
  return told.length === 1 && told[0] === nameOfField(field);
}

/** A world with one field that has the given value. */
function imageWith({ table, path }: ExportField, value: unknown): WorldImage {
  const row = { id: 'one', seq: 1, ...(holding(path, value) as object) };
  const beside = { clock: {}, requests: 0, sequence: 0, tables: {} };
  const head = { clock: row, requests: value, sequence: value }[table];
  const image =
    head === undefined
      ? { ...beside, tables: { [table]: [row as Row] } }
      : { ...beside, [table]: head };
  return image as unknown as WorldImage;
}

function holding([step, ...rest]: ExportField['path'], value: unknown): unknown {
  if (step === undefined) return value;
  const inner = holding(rest, value);
  return typeof step === 'number' ? [inner] : { [step]: inner };
}

/** A comparison that ignores one field. */
export function blindTo(field: ExportField, compare: CompareImages): CompareImages {
  const isSeen = (table: string) => (each: { readonly field: string }) =>
    `${table}.${each.field}` !== nameOfField(field);
  return (from, to) =>
    compare(from, to)
      .map((told) => ({
        ...told,
        rows: told.rows.filter(({ fields }) => fields.some(isSeen(told.table))),
      }))
      .filter(({ rows }) => rows.length > 0);
}
