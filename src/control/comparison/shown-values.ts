import type { components } from '../../spec/control.d.ts';
import type { Row } from '../../store/row.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import type { WorldImage } from '../../store/world.ts';
import { REDACTED, redact, redactText } from '../../text/redaction.ts';
import type { ValueDifference } from '../../text/value-differences.ts';
import { REFERENCES, wordsOf } from './table-words.ts';

/** Rows to which others refer, by id. */
export type NamedRows = ReadonlyMap<string, Row>;

/** The rows to which rows of these tables refer; if several have the same id, that of the last side. */
export function* findNamedRows(...sides: readonly WorldImage['tables'][]): TimeSliced<NamedRows> {
  const found = new Map<string, Row>();
  for (const side of sides)
    for (const table of Object.values(REFERENCES))
      for (const row of side[table] ?? []) {
        found.set(row.id, row);
        yield;
      }
  return found;
}

/** The name of a row in its table, without secrets; empty for tables of one row. */
export function nameOf(table: string, row: Row, named: NamedRows): string {
  const words = wordsOf(table).name.map((fields) => wordAt(fields, row, named));
  return cutText(redactText(words.filter((word) => word !== '').join(' ')));
}

function wordAt(fields: string, row: Row, named: NamedRows): string {
  for (const field of fields.split('|')) {
    const values = valuesAt(row, field).filter((value) => value !== undefined && value !== null);
    const words = values.map((value) =>
      referenceOf(field, String(value), named).replaceAll('\n', ' '),
    );
    if (words.length > 0) return words.join(', ');
  }
  return '';
}

function referenceOf(field: string, value: string, named: NamedRows): string {
  const table = Object.hasOwn(REFERENCES, field) ? REFERENCES[field] : undefined;
  const row = named.get(value);
  return (table && row && nameOf(table, row, named)) || value;
}

/** The values at a path such as `payment.status`, or in each item of a list such as `products[].code`. */
export function valuesAt(row: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [row];
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]');
    const name = isList ? step.slice(0, -2) : step;
    values = values.flatMap((value) => {
      const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return isList ? ((found ?? []) as readonly unknown[]) : [found];
    });
  }
  return values;
}

type FieldChange = components['schemas']['FieldChange'];
type Scalar = string | number | boolean | null;

const MAX_CHARACTERS = 120;
/** How many characters are shown before the first difference of two long texts. */
const LEAD = 20;

/** A difference without secrets; long texts are cut to the part around their first difference. */
export function showDifference({ path, ...values }: ValueDifference): FieldChange {
  const name = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  const from = 'from' in values ? scalarOf(name, values.from) : undefined;
  const to = 'to' in values ? scalarOf(name, values.to) : undefined;
  const isSecret = from === to;
  const start = typeof from === 'string' && typeof to === 'string' ? firstShown(from, to) : 0;
  return {
    field: path,
    ...(from !== undefined && { from: isSecret ? REDACTED : cutText(from, start) }),
    ...(to !== undefined && { to: isSecret ? REDACTED : cutText(to, start) }),
  };
}

function scalarOf(name: string, value: unknown): Scalar {
  const { [name]: open } = redact({ [name]: value }) as Readonly<Record<string, unknown>>;
  return typeof open === 'object' && open !== null ? JSON.stringify(open) : (open as Scalar);
}

function firstShown(from: string, to: string): number {
  if (from.length <= MAX_CHARACTERS && to.length <= MAX_CHARACTERS) return 0;
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  return Math.max(0, same - LEAD);
}

/** Cuts a text to its part from a position on; other values stay as they are. */
function cutText<T>(value: T, start = 0): T | string {
  if (typeof value !== 'string') return value;
  const end = start + MAX_CHARACTERS;
  const part = value.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${end < value.length ? '…' : ''}`;
}
