import { runTimeSliced, type TimeSliced } from '../../store/time-sliced.ts';
import { markedDigits, serialiseForReading } from '../../text/exact-json.ts';
import { redact } from '../../text/redaction.ts';
import type { PageAnswer } from '../answer.tsx';
import { type InspectorRequest, useRequest } from './inspector-request.ts';
import type { Listing } from './search/list.ts';

/** Returns the requested file of all found rows, newest first; undefined if the page is requested. */
export function fileOf<R extends object>(
  listing: Listing<R>,
  request: InspectorRequest,
): Promise<PageAnswer> | PageAnswer | undefined {
  const format = request.query('format');
  if (format !== 'csv' && format !== 'json') return undefined;
  return runTimeSliced(writeFile(listing, request, format));
}

/** A file of rows: JSON as the interface gives them, or CSV with raw numbers, ids and codes. */
function* writeFile<R extends object>(
  { list: { present, figures }, found }: Listing<R>,
  request: InspectorRequest,
  format: 'csv' | 'json',
): TimeSliced<PageAnswer> {
  const objects: object[] = [];
  for (const row of found.toReversed()) {
    const more = format === 'csv' ? figures?.(row, request) : {};
    objects.push(plain({ ...present(row, request), ...more }));
    yield;
  }
  if (format === 'csv') return yield* csvOf(objects);
  return { type: 'json', text: serialiseForReading(objects) };
}

/** One column for each field that any object has. */
function* csvOf(objects: readonly object[]): TimeSliced<PageAnswer> {
  const names = new Set<string>();
  const lines: ReadonlyMap<string, string>[] = [];
  for (const object of objects) {
    const line = new Map(flatten(object));
    for (const name of line.keys()) names.add(name);
    lines.push(line);
    yield;
  }
  const cells = lines.map((line) => [...names].map((name) => line.get(name) ?? ''));
  return { type: 'csv', text: [[...names], ...cells].map(csvLine).join('') };
}

/** The object as JSON has it, without secrets. Exact numbers are marked texts. */
const plain = (value: object): object => redact(JSON.parse(JSON.stringify(value))) as object;

/** The fields of an object as texts. A field of an inner object is `outer.inner`; a list of objects is JSON. */
function* flatten(object: object, prefix = ''): Generator<readonly [name: string, text: string]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (Array.isArray(value)) yield [prefix + name, listText(value)];
    else if (typeof value === 'object' && value !== null)
      yield* flatten(value, `${prefix}${name}.`);
    else yield [prefix + name, scalarText(value)];
  }
}

const scalarText = (value: unknown): string => markedDigits(value) ?? String(value ?? '');

const listText = (values: readonly unknown[]): string =>
  values.some((value) => typeof value === 'object')
    ? serialiseForReading(values).replaceAll(/\n\s*/g, ' ')
    : values.map(scalarText).join(' ');

/** Links to files, which have all that was found. */
export function Downloads() {
  const { here } = useRequest();
  return (
    <p class="export">
      Export <a href={here({ format: 'csv', page: undefined })}>CSV</a>
      <a href={here({ format: 'json', page: undefined })}>JSON</a>
    </p>
  );
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/**
 * Where spreadsheets may read a formula: at the start of a cell, or after what separates cells in some locale, even
 * inside quotes. A sign alone is that of an amount or a telephone number.
 */
const FORMULA = /(?<=^|[;\t\r\n] *)(?=[=@]|[+-][^;\t\r\n]*[(|!])/g;

/** Escapes a cell for spreadsheets of every locale. An apostrophe keeps them from reading a formula. */
function csvCell(text: string): string {
  const safe = text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
