import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Json, loadDocument, resolve } from '../src/spec/document.ts';
import { writeTable } from './write-table.ts';

/**
 * The coverage of the contract suite: for each class of mistake, every place of the interface where it could occur.
 * The places come from the document. `classes.yaml` has for each place its checks, or the reason why it has none.
 */
interface Walk {
  /** Reasons why a place has no check, by name. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly classes: Readonly<Record<string, Class>>;
}

interface Class {
  readonly about: string;
  readonly places: string;
  /** Checks or the name of a reason, by place. `*` matches any text, and the first match counts. */
  readonly cells: Readonly<Record<string, readonly string[] | string>>;
}

const { json, operations: byId } = loadDocument('openapi');
const operations = [...byId.values()];

interface Field {
  readonly place: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** All fields below a schema, with `[]` for the elements of a list and `{}` for the values of a map. */
function fieldsOf(place: string, pointer: Json): readonly Field[] {
  const { properties = {}, required = [], items, additionalProperties } = resolve(json, pointer);
  const inner = (name: string, next: unknown, isRequired: boolean): readonly Field[] => [
    { place: `${place}${name}`, schema: resolve(json, next as Json), isRequired },
    ...fieldsOf(`${place}${name}`, next as Json),
  ];
  return [
    ...Object.entries(properties as object).flatMap(([name, next]) =>
      inner(`.${name}`, next, (required as readonly string[]).includes(name)),
    ),
    ...(items ? inner('[]', items, true) : []),
    ...(additionalProperties instanceof Object ? inner('{}', additionalProperties, true) : []),
  ];
}

const sent = operations.flatMap(({ id, body }) =>
  body ? fieldsOf(id, { $ref: body.pointer }) : [],
);
const shown = operations.flatMap(({ id, replies }) =>
  [...replies].flatMap(([status, pointer]) =>
    status < 300 && pointer ? fieldsOf(id, { $ref: pointer }) : [],
  ),
);
const parameters = operations.flatMap(({ id, parameters: all }) =>
  all.filter((each) => each.in === 'query').map(({ name }) => `${id}?${name}`),
);

const PAGING = /\?(limit|offset|next|prev)$/;
const NAMES = /\.(id|transaction_id|external_id|customer_external_id|vendor_external_id|code)$/;
const BOUNDS = /^(exclusive)?(min|max)/i;

const names = (fields: readonly Field[]) => fields.map(({ place }) => place);
const isOf = ({ schema }: Field, type: string) => [schema['type']].flat().includes(type);
const isBounded = ({ schema }: Field) =>
  /decimal/.test(String(schema['format'])) || Object.keys(schema).some((name) => BOUNDS.test(name));

/** The places of the interface where a class of mistake could occur. */
const PLACES: Readonly<Record<string, () => readonly string[]>> = {
  'lists and maps that are sent': () =>
    names(sent.filter(({ place }) => /(\[\]|\{\})$/.test(place))),
  filters: () => parameters.filter((place) => !PAGING.test(place)),
  pages: () => parameters.filter((place) => PAGING.test(place)),
  operations: () => operations.map(({ id }) => id),
  'operations that write': () =>
    operations.filter(({ method }) => method !== 'GET').map(({ id }) => id),
  'optional fields': () => names(sent.filter(({ isRequired }) => !isRequired)),
  'bounded fields': () => names(sent.filter(isBounded)),
  'fields that name something': () => names(sent.filter(({ place }) => NAMES.test(place))),
  'texts and numbers that are sent': () =>
    names(
      sent.filter(
        (field) =>
          field.schema['enum'] === undefined &&
          field.schema['format'] === undefined &&
          (isOf(field, 'string') || isOf(field, 'number')),
      ),
    ),
  'numbers that are shown': () =>
    names(
      shown.filter(
        (field) => isOf(field, 'number') || (isOf(field, 'integer') && /count/.test(field.place)),
      ),
    ),
};

const SUITE = new URL('../contract-tests/', import.meta.url);
const read = (name: string): unknown => parse(readFileSync(new URL(name, SUITE), 'utf8'));

const patternOf = (glob: string) =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replaceAll(/[.?[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  );

interface Cell {
  readonly glob: string;
  readonly said: readonly string[] | string;
}

/** The cell of each place of a class: the first that matches, if any. */
function walked({ places, cells }: Class): ReadonlyMap<string, Cell | undefined> {
  const patterns = Object.entries(cells).map(([glob, said]) => ({
    glob,
    said,
    is: patternOf(glob),
  }));
  const all = PLACES[places]?.() ?? [];
  return new Map(all.map((place) => [place, patterns.find(({ is }) => is.test(place))]));
}

/** The errors in the cells of a class. */
function faultsOf(one: Class, reasons: object, checks: object): readonly string[] {
  const { places, cells } = one;
  const found = walked(one);
  const used = new Set([...found.values()].map((cell) => cell?.glob));
  const said = Object.values(cells).flat();
  return [
    ...(found.size === 0 ? [`there are no ${places}`] : []),
    ...[...found].flatMap(([place, cell]) => (cell ? [] : [`nothing is said of ${place}`])),
    ...Object.keys(cells).flatMap((glob) => (used.has(glob) ? [] : [`${glob} fits nothing`])),
    ...Object.values(cells).flatMap((cell) =>
      Array.isArray(cell) && cell.length === 0 ? ['a cell is empty'] : [],
    ),
    ...said.flatMap((word) => (word in reasons || word in checks ? [] : [`${word} is unknown`])),
  ];
}

/** A line of the table: the number of places, the number checked, and the reasons for the others. */
function lineOf(one: Class): string {
  const said = [...walked(one).values()].flatMap((cell) => (cell ? [cell.said] : []));
  const reasons = said.filter((each) => typeof each === 'string');
  const counted = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((each) => each === reason).length;
    return `${count} ${reason.replaceAll('_', ' ')}`;
  });
  const checked = said.length - reasons.length;
  return `| ${one.about} | ${said.length} | ${checked} | ${counted.join(', ') || 'none'} |`;
}

/**
 * Writes into the suite's README the number of checks and requirements, and per class the number of checked places and
 * the reasons for the others.
 *
 * @throws Error naming places without a cell, cells without a place, unknown checks, and unknown or unused reasons
 */
export function compareClasses(): void {
  const { reasons, classes } = read('classes.yaml') as Walk;
  const checks = read('checks.yaml') as object;
  const said = new Set(Object.values(classes).flatMap(({ cells }) => Object.values(cells).flat()));
  const faults = [
    ...Object.entries(classes).flatMap(([name, one]) =>
      faultsOf(one, reasons, checks).map((fault) => `${name}: ${fault}`),
    ),
    ...Object.keys(reasons).flatMap((name) => (said.has(name) ? [] : [`${name} is not needed`])),
  ];
  if (faults.length > 0) throw new Error(`classes.yaml: ${faults.join('\n')}`);
  const head = ['| class | places | checked | not, with the reason |', '|---|---|---|---|'];
  const requirements = read('../spec/requirements.yaml') as object;
  const sizes = [checks, requirements].map((list) => Object.keys(list).length);
  writeCounts([...head, ...Object.values(classes).map(lineOf)], sizes);
}

/** Writes the table, and the number of checks and requirements. */
function writeCounts(table: readonly string[], [checks, requirements]: readonly number[]): void {
  const file = new URL('README.md', SUITE);
  const counted = readFileSync(file, 'utf8').replace(
    /\d+ checks of\n\d+ requirements/,
    `${checks} checks of\n${requirements} requirements`,
  );
  writeFileSync(file, counted);
  writeTable(file, 'classes', table);
}

if (process.argv.includes('--places'))
  for (const [name, places] of Object.entries(PLACES))
    console.log(`${name}\n  ${[...new Set(places())].join('\n  ')}`);
