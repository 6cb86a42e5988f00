import type { ComponentChildren, VNode } from 'preact';
import { compareWorlds, type TableDifference } from '../../../control/comparison/compare-worlds.ts';
import { snapshotNamed } from '../../../control/comparison/diff.ts';
import type { TableName } from '../../../store/schema.ts';
import { snapshotsOf } from '../../../store/snapshots.ts';
import { runTimeSliced } from '../../../store/time-sliced.ts';
import type { WorldImage } from '../../../store/world.ts';
import { REDACTED } from '../../../text/redaction.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable, Shown } from '../../data-table.tsx';
import { Button, Choice } from '../../forms.tsx';
import { Badge, Section, type Tone, Words } from '../../parts.tsx';
import { plainNumber } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { RecordLink } from '../links.tsx';
import { hasPage } from '../records/record-kinds.tsx';
import { fieldWord } from '../records/values.tsx';
import { orShowAgain } from '../run-control-operation.ts';

const MAX_ROWS = 50;
const NOW = '';

/** Compares two snapshots, or a snapshot with the current state, side by side. @assumes A-1408 */
export function showDiff(request: InspectorRequest): Promise<PageAnswer> {
  return orShowAgain(request, comparePage, async () => {
    const [from, to] = [imageOf(request, 'from'), imageOf(request, 'to')];
    const found = await runTimeSliced(compareWorlds(from, to, { limit: MAX_ROWS }));
    return comparePage(request, <Found found={found} />);
  });
}

function imageOf({ world, query }: InspectorRequest, side: 'from' | 'to'): WorldImage {
  const name = query(side);
  return name === NOW ? world.capture() : snapshotNamed(name, 'name', { world });
}

function comparePage(request: InspectorRequest, found?: VNode) {
  return (
    <InspectorPage request={request} section="/snapshots" title="Compare" path>
      <SideChoice />
      {found}
    </InspectorPage>
  );
}

function SideChoice() {
  const request = useRequest();
  const names = [...snapshotsOf(request.world).keys()].sort();
  const options = [[NOW, 'Now'] as const, ...names];
  return (
    <form method="get" action={request.link('/snapshots/diff')} class="line">
      <input type="hidden" name="key" value={request.key} />
      <Choice label="From" name="from" options={options} chosen={request.query('from')} />
      <Choice label="To" name="to" options={options} chosen={request.query('to')} />
      <Button>Compare</Button>
    </form>
  );
}

interface FoundProps {
  readonly found: readonly TableDifference[];
}

function Found({ found }: FoundProps) {
  if (found.length === 0)
    return (
      <p role="status" data-testid="equal">
        No differences.
      </p>
    );
  const derived = found.filter((each) => each.derived);
  return (
    <>
      {found
        .filter((each) => !each.derived)
        .map((difference) => (
          <DifferenceTables key={difference.table} {...difference} />
        ))}
      {derived.length > 0 && <Derived found={derived} />}
    </>
  );
}

/** Tables whose rows are derived from other tables. They follow from the differences above, so they are folded. */
function Derived({ found }: FoundProps) {
  return (
    <details>
      <summary>Derived rows</summary>
      <DataTable
        label="Derived rows"
        rows={found}
        columns={{
          Records: ({ words }) => words,
          '#Added': ({ added }) => added.toLocaleString('en'),
          '#Removed': ({ removed }) => removed.toLocaleString('en'),
          '#Changed': ({ changed }) => changed.toLocaleString('en'),
        }}
      />
    </details>
  );
}

type RowDifference = TableDifference['rows'][number];
type FieldChange = RowDifference['fields'][number];
type FigureChange = TableDifference['figures'][number];

/** A line of the table: an added or removed row, or a changed field of a row. */
interface Line {
  readonly row: RowDifference;
  readonly field?: FieldChange;
}

/** The differences in one table: totals, then rows, each on both sides. */
function DifferenceTables(difference: TableDifference) {
  const { table, words, figures, figure_count, rows, added, removed, changed } = difference;
  const { query } = useRequest();
  // They differ even if both sides are the same snapshot.
  const [from, to] = [`From ${query('from') || 'now'}`, `To ${query('to') || 'now'}`];
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

/** The name of a row, as a link if the world still has the record. */
function Name({ table, row: { id, name } }: NameProps) {
  const request = useRequest();
  const held = hasPage(table) ? request.world.tables[table as TableName].get(id) : undefined;
  const text = name || fieldWord(table);
  if (!held) return <Words text={text} />;
  return <RecordLink table={table as TableName} row={held} text={text} />;
}
