import type { ComponentChildren } from 'preact';
import { decimal, format, isNegative, subtract } from '../../../domain/decimal.ts';
import type { RecordChange } from '../../../store/changes/record-changes.ts';
import type { TableName } from '../../../store/schema.ts';
import { REDACTED } from '../../../text/redaction.ts';
import { DataTable } from '../../data-table.tsx';
import { Badge, Section, type Tone, Words } from '../../parts.tsx';
import { fieldWord, plainNumber } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { RecordLink } from '../links.tsx';
import { isTold } from './effect-text.ts';

type FieldChange = RecordChange['fields'][number];

const MAX_CHANGES = 100;
/** Tables that follow from others, but whose fields are of interest. */
const WITH_FIELDS = new Set(['wallet_accounts', 'grants']);

/** The records that a request added, removed or changed, without those that are derived from others. */
export function Changes({ changes }: { readonly changes: readonly RecordChange[] }) {
  const kept = changes.filter((change) => WITH_FIELDS.has(change.table) || isTold(change));
  return (
    <Section id="changes" title="What it changed">
      {kept.length === 0 && <p class="muted">Nothing.</p>}
      {kept.length > 0 && <ChangesTable label="Changed records" changes={kept} />}
    </Section>
  );
}

/** A line of the table: a new or removed record, or a changed field of a record. */
interface Line {
  readonly record: RecordChange;
  readonly field?: FieldChange;
}

interface ChangesTableProps {
  readonly label: string;
  readonly changes: readonly RecordChange[];
  /** Headings of both sides. */
  readonly sides?: readonly [before: string, after: string];
}

/** Records that differ, changed ones field by field, with both sides. */
export function ChangesTable({ label, changes, sides = ['Before', 'After'] }: ChangesTableProps) {
  const [before, after] = sides;
  return (
    <DataTable<Line>
      label={label}
      rows={changes.flatMap(linesOf)}
      most={MAX_CHANGES}
      columns={{
        Record: ({ record }) => <RecordName {...record} />,
        Change: ({ record: { change } }) => <Badge text={change} tone={TONES[change]} />,
        ...(changes.some(({ change }) => change === 'changed') && {
          Field: ({ record, field }: Line) => fieldText(record, field),
          [before]: ({ field }: Line) => field && valueText(field.before),
          [after]: ({ field }: Line) => field && valueText(field.after),
          '#Difference': ({ field }: Line) => field && differenceText(field),
        }),
      }}
    />
  );
}

const TONES: Readonly<Record<RecordChange['change'], Tone>> = {
  added: 'ok',
  removed: 'fail',
  changed: 'warn',
};

const linesOf = (record: RecordChange): readonly Line[] =>
  record.change === 'changed' ? record.fields.map((field) => ({ record, field })) : [{ record }];

function fieldText({ fields, field_count }: RecordChange, field: FieldChange | undefined) {
  if (!field) return undefined;
  const left = field === fields.at(-1) ? field_count - fields.length : 0;
  return `${field.field}${left > 0 ? ` and ${left} more` : ''}`;
}

function valueText(value: FieldChange['before']): ComponentChildren {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  return value === REDACTED ? <i>secret</i> : <Words text={String(value)} />;
}

/** The difference of two numbers with its sign; empty for other values. */
function differenceText({ before, after }: FieldChange): string {
  const [from, to] = [String(before), String(after)];
  if (!NUMBER.test(from) || !NUMBER.test(to)) return '';
  const difference = subtract(decimal(to), decimal(from));
  return `${isNegative(difference) ? '' : '+'}${plainNumber(format(difference))}`;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The kind and name of a record, as a link if the world still has it. */
function RecordName({ table, words, id, name }: RecordChange) {
  const request = useRequest();
  const { tables } = request.world;
  const held = Object.hasOwn(tables, table) ? tables[table as TableName].get(id) : undefined;
  const text = name || fieldWord(words);
  return (
    <>
      {held ? (
        <RecordLink table={table as TableName} row={held} text={text} />
      ) : (
        <Words text={text} />
      )}
      {name !== '' && <small class="beneath">{fieldWord(words).replace(/s$/, '')}</small>}
    </>
  );
}
