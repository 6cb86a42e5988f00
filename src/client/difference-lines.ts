import type { ClientAnswer } from './client.ts';

type Difference = ClientAnswer<'compareWorlds'>['differences'][number];
type RowDifference = Difference['rows'][number];
type FieldChange = RowDifference['fields'][number];

/**
 * Formats the differences between two worlds: one line per table, with an indented line for each listed figure and
 * row.
 */
export const linesOfDifferences = (differences: readonly Difference[]): readonly string[] =>
  differences.flatMap(formatTable);

/** Formats a table. Rows of a derived table are only counted. */
function formatTable(difference: Difference): readonly string[] {
  const { words, derived, figures, figure_count, rows } = difference;
  const [only] = rows;
  if (only?.name === '') return [`${words}: ${only.fields.map(formatField).join(', ')}`];
  const lines = figures.map(
    (figure) => `${figure.of}${figure.in === undefined ? '' : ` ${figure.in}`} ${arrow(figure)}`,
  );
  const { added, removed, changed } = difference;
  const named = derived ? [] : rows.map(formatRow);
  const more = derived ? 0 : added + removed + changed - rows.length;
  const inset = [...lines, ...moreOf(figure_count - figures.length, 'figures'), ...named];
  return [headOf(difference), ...[...inset, ...moreOf(more, 'rows')].map((line) => `  ${line}`)];
}

function headOf({ words, from, to, ...counts }: Difference): string {
  const kinds = (['added', 'removed', 'changed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`);
  return `${words}: ${kinds.join(', ')}${from === to ? '' : `, ${arrow({ from, to })}`}`;
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

function formatRow({ change, name, fields, field_count }: RowDifference): string {
  const told = [...fields.map(formatField), ...moreOf(field_count - fields.length, 'fields')];
  return `${MARKS[change]} ${name}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

const formatField = ({ field, ...sides }: FieldChange): string =>
  sides.from === SECRET && sides.to === SECRET ? `${field} changed` : `${field} ${arrow(sides)}`;

const SECRET = '***';

const arrow = ({ from = 'none', to = 'none' }: Omit<FieldChange, 'field'>): string =>
  `${from} → ${to}`;

const moreOf = (count: number, what: string): readonly string[] =>
  count > 0 ? [`${count} more ${what}`] : [];
