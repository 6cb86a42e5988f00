import type { ClientResponse } from './client.ts';

type Comparison = ClientResponse<'compareWorlds'>;
type TableChanges = Comparison['tables'][number];
type RecordChange = Comparison['changes'][number];
type FieldChange = RecordChange['fields'][number];

/** Formats the changes from one world to another: a line per table, with an indented line for each listed record. */
export const linesOfChanges = ({ tables, changes }: Comparison): readonly string[] =>
  tables.flatMap((table) =>
    formatTable(
      table,
      changes.filter((change) => change.table === table.table),
    ),
  );

/** Formats the changes of a table. Records of a derived table are only counted. */
function formatTable(counts: TableChanges, changes: readonly RecordChange[]): readonly string[] {
  const { words, derived, added, removed, changed } = counts;
  const [only] = changes;
  if (only?.name === '') return [`${words}: ${only.fields.map(formatField).join(', ')}`];
  if (derived) return [headOf(counts)];
  const more = moreOf(added + removed + changed - changes.length, 'rows');
  return [headOf(counts), ...[...changes.map(formatChange), ...more].map((line) => `  ${line}`)];
}

function headOf({ words, from, to, ...counts }: TableChanges): string {
  const kinds = (['added', 'removed', 'changed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`);
  return `${words}: ${kinds.join(', ')}${from === to ? '' : `, ${from} → ${to}`}`;
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

/** Formats a change of a record, such as `~ Acme: name Acme → Acme Robotics`. Records that are new or gone are just named. */
export function formatChange({ change, name, fields, field_count }: RecordChange): string {
  if (change !== 'changed') return `${MARKS[change]} ${name}`;
  const changes = [...fields.map(formatField), ...moreOf(field_count - fields.length, 'fields')];
  return `${MARKS[change]} ${name}: ${changes.join(', ')}`;
}

const formatField = ({ field, ...sides }: FieldChange): string =>
  sides.before === SECRET && sides.after === SECRET
    ? `${field} changed`
    : `${field} ${sides.before ?? 'none'} → ${sides.after ?? 'none'}`;

const SECRET = '***';

const moreOf = (count: number, what: string): readonly string[] =>
  count > 0 ? [`${count} more ${what}`] : [];
