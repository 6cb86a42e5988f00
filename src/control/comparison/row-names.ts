import type { Resumable } from '../../state/resumable.ts';
import type { Row } from '../../state/table.ts';
import type { WorldImage } from '../../state/world.ts';
import { redactText } from '../../text/redaction.ts';
import { valuesAt } from './fields.ts';
import { cutText } from './shown-values.ts';
import { REFERENCES, wordsOf } from './table-words.ts';

/** Rows that others name by id. */
export type NamedRows = ReadonlyMap<string, Row>;

/** The rows that rows of these tables name by id, of several with one id that of the last. */
export function* findNamedRows(...sides: readonly WorldImage['tables'][]): Resumable<NamedRows> {
  const found = new Map<string, Row>();
  for (const side of sides)
    for (const table of Object.values(REFERENCES))
      for (const row of side[table] ?? []) {
        found.set(row.id, row);
        yield;
      }
  return found;
}

/** What a row is called among those of its table, without secrets; empty where it is the only one. */
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
