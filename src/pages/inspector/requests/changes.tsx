import type { ComponentChildren } from 'preact';
import { decimal, format, isNegative, subtract } from '../../../domain/decimal.ts';
import type { RecordChange } from '../../../store/record-changes.ts';
import type { TableName } from '../../../store/schema.ts';
import { REDACTED } from '../../../text/redaction.ts';
import { Amount } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Badge, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { fieldWord, numberText, plainNumber } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink, type recordTitle } from '../links.tsx';
import { isTold } from './effect.tsx';

type FieldChange = RecordChange['fields'][number];

const MAX_CHANGES = 100;
/** Tables that follow from others, but whose fields are of interest. */
const WITH_FIELDS = new Set(['wallet_accounts', 'grants']);

/** The records that a request changed or removed, without those that are derived from others. Its trace has new ones. */
export function Changes({ changes }: { readonly changes: readonly RecordChange[] }) {
  const kept = changes.filter((change) => WITH_FIELDS.has(change.table) || isTold(change));
  const count = (kind: RecordChange['change']) =>
    kept.filter(({ change }) => change === kind).length;
  const counts = (['added', 'changed', 'removed'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${numberText(count(kind))} ${kind}`);
  const listed = kept.filter(({ change }) => change !== 'added');
  if (listed.length === 0) return null;
  return (
    <Section id="changes" title="What it changed" aside={counts.join(', ')}>
      <ChangesTable label="Changed records" changes={listed} />
    </Section>
  );
}

/** A line of the table: a new or removed record, or a changed field of a record. */
interface Line {
  readonly record: RecordChange;
  readonly held: HeldRow | undefined;
  readonly field?: FieldChange;
}

/** A record that the world still has. */
type HeldRow = Parameters<typeof recordTitle>[2] & {
  readonly customer_id?: string;
  readonly asset?: string;
  readonly currency?: string;
};

interface ChangesTableProps {
  readonly label: string;
  readonly changes: readonly RecordChange[];
  /** Headings of both sides. */
  readonly sides?: readonly [before: string, after: string];
}

/** Records that differ, changed ones field by field, with both sides. */
export function ChangesTable({ label, changes, sides = ['Before', 'After'] }: ChangesTableProps) {
  const request = useRequest();
  const [before, after] = sides;
  const rows = changes.flatMap((record) => linesOf(request, record));
  const align = rows.every(({ field }) => isNumeric(field)) ? '#' : '';
  return (
    <DataTable<Line>
      label={label}
      rows={rows}
      most={MAX_CHANGES}
      columns={{
        Record: (line) => <RecordName {...line} />,
        ...(rows.some(({ held }) => held?.customer_id !== undefined) && {
          Customer: ({ held }: Line) => <CustomerLink id={held?.customer_id} />,
        }),
        Change: ({ record: { change } }) => <Badge text={change} />,
        ...(changes.some(({ change }) => change === 'changed') && {
          Field: ({ record, field }: Line) => fieldText(record, field),
          [align + before]: (line: Line) => <Value line={line} side="before" />,
          [align + after]: (line: Line) => <Value line={line} side="after" />,
          '#Difference': (line: Line) => <Difference line={line} />,
        }),
      }}
    />
  );
}

function linesOf({ world: { tables } }: InspectorRequest, record: RecordChange): readonly Line[] {
  const { table, id, change, fields } = record;
  const held = Object.hasOwn(tables, table) ? tables[table as TableName].get(id) : undefined;
  if (change !== 'changed') return [{ record, held }];
  return fields.map((field) => ({ record, held, field }));
}

function fieldText({ fields, field_count }: RecordChange, field: FieldChange | undefined) {
  if (!field) return undefined;
  const left = field === fields.at(-1) ? field_count - fields.length : 0;
  return `${fieldWord(field.field)}${left > 0 ? ` and ${left} more` : ''}`;
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Whether a field has numbers on both sides, as far as it has values. */
const isNumeric = (field: FieldChange | undefined): boolean =>
  [field?.before, field?.after].every((value) => NUMBER.test(String(value ?? 0)));

/** What the amounts of a record are in. */
const assetOf = (held: HeldRow | undefined): string | undefined => held?.asset ?? held?.currency;

interface ValueProps {
  readonly line: Line;
  readonly side: 'before' | 'after';
}

function Value({ line: { held, field }, side }: ValueProps): ComponentChildren {
  if (!field) return null;
  const value = field[side];
  if (value === undefined || value === null) return <span class="muted">–</span>;
  if (value === REDACTED) return <i>secret</i>;
  const asset = assetOf(held);
  // Amounts are texts; numbers are counts.
  const isAmount = asset !== undefined && typeof value === 'string' && NUMBER.test(value);
  if (isAmount) return <Amount amount={value} asset={asset} />;
  return INSTANT.test(String(value)) ? (
    <Time as="exact" at={String(value)} />
  ) : (
    <Words text={String(value)} />
  );
}

/** The difference of two numbers with its sign; nothing for other values. */
function Difference({ line: { held, field } }: { readonly line: Line }): ComponentChildren {
  const [from, to] = [String(field?.before), String(field?.after)];
  if (!NUMBER.test(from) || !NUMBER.test(to)) return null;
  const difference = subtract(decimal(to), decimal(from));
  const asset = assetOf(held);
  if (asset !== undefined && typeof field?.after === 'string')
    return <Amount amount={format(difference)} asset={asset} isSigned />;
  return `${isNegative(difference) ? '' : '+'}${plainNumber(format(difference))}`;
}

/** The name of a record, as a link if the world still has it, and its kind. */
function RecordName({ record: { table, words, name }, held }: Line) {
  return (
    <>
      {held ? <RecordLink table={table as TableName} row={held} /> : <Words text={name} />}
      <small class="beneath">{fieldWord(words).replace(/s$/, '')}</small>
    </>
  );
}
