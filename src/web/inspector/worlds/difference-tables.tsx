import type { ComponentChildren } from 'preact';
import type { TableDifference } from '../../../control/comparison/compare-worlds.ts';
import type { TableName } from '../../../state/schema.ts';
import { REDACTED } from '../../../text/redaction.ts';
import { DataTable, Shown } from '../../data-table.tsx';
import { Badge, Section, type Tone, Words } from '../../parts.tsx';
import { plainNumber } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { RecordLink } from '../links.tsx';
import { hasPage } from '../records/record-kinds.tsx';
import { fieldWord } from '../records/values.tsx';

type RowDifference = TableDifference['rows'][number];
type FieldChange = RowDifference['fields'][number];
type FigureChange = TableDifference['figures'][number];

/** A line of a table: a row that came or went, or a field of one that changed. */
interface Line {
  readonly row: RowDifference;
  readonly field?: FieldChange;
}

interface DifferenceProps {
  /** Names of the snapshots; empty for now. */
  readonly sides: readonly [from: string, to: string];
  readonly difference: TableDifference;
}

/** What differs in one table: figures, then rows, each as it is on both sides. */
export function DifferenceTables({ sides, difference }: DifferenceProps) {
  const { table, words, figures, figure_count, rows, added, removed, changed } = difference;
  const [from, to] = headings(sides);
  const title = fieldWord(words);
  return (
    <Section id={`diff-${table}`} title={title}>
      <p class="muted">{countsText(difference)}</p>
      {figures.length > 0 && (
        <DataTable<FigureChange>
          label={`${title}, in sum`}
          rows={figures}
          total={figure_count}
          columns={{
            Figure: ({ of, in: asset = '' }) => `${of.replaceAll('_', ' ')} ${asset}`,
            [`#${from}`]: (figure) => plainNumber(figure.from),
            [`^#${to}`]: (figure) => plainNumber(figure.to),
          }}
        />
      )}
      <DataTable<Line>
        label={title}
        rows={rows.flatMap(linesOf)}
        columns={{
          Record: ({ row }) => <Name table={table} row={row} />,
          Change: ({ row: { change } }) => <Badge text={change} tone={TONES[change]} />,
          ...(changed > 0 && {
            Field: ({ row, field }: Line) => fieldText(row, field),
            [from]: ({ field }: Line) => valueText(field?.from),
            [to]: ({ field }: Line) => valueText(field?.to),
          }),
        }}
      />
      <Shown count={rows.length} total={added + removed + changed} />
    </Section>
  );
}

const TONES: Readonly<Record<RowDifference['change'], Tone>> = {
  added: 'ok',
  removed: 'fail',
  changed: 'warn',
};

/** What the columns of the two sides are called, which are never the same. */
function headings([from, to]: DifferenceProps['sides']): readonly [string, string] {
  const [left, right] = [from || 'now', to || 'now'];
  return [`From ${left}`, `To ${right}`];
}

function countsText({ from, to, ...counts }: TableDifference): string {
  const kinds = (['added', 'removed', 'changed'] as const).filter((kind) => counts[kind] > 0);
  const text = kinds.map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`).join(', ');
  return `${text}. ${from.toLocaleString('en')} → ${to.toLocaleString('en')} in all.`;
}

const linesOf = (row: RowDifference): readonly Line[] =>
  row.fields.length === 0 ? [{ row }] : row.fields.map((field) => ({ row, field }));

function fieldText({ fields, field_count }: RowDifference, field: FieldChange | undefined) {
  if (!field) return undefined;
  const left = field === fields.at(-1) ? field_count - fields.length : 0;
  return `${field.field}${left > 0 ? ` and ${left} more` : ''}`;
}

function valueText(value: FieldChange['from']): ComponentChildren {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  return value === REDACTED ? <i>secret</i> : <Words text={String(value)} />;
}

interface NameProps {
  readonly table: string;
  readonly row: RowDifference;
}

/** What a row is called; it leads to the record while the world has it. */
function Name({ table, row: { id, name } }: NameProps) {
  const request = useRequest();
  const held = hasPage(table) ? request.world.tables[table as TableName].get(id) : undefined;
  const text = name || fieldWord(table);
  if (!held) return <Words text={text} />;
  return <RecordLink table={table as TableName} row={held} text={text} />;
}
