import type { ComponentChildren } from 'preact';
import { decimal, format, isNegative, subtract } from '../../../domain/decimal.ts';
import { type RecordChange, singularOf } from '../../../store/record-changes.ts';
import type { TableName } from '../../../store/schema.ts';
import { REDACTED } from '../../../text/redaction.ts';
import { Amount, amountLines } from '../../amount.tsx';
import { type Columns, DataTable } from '../../data-table.tsx';
import { Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { fieldWord, numberText } from '../../wording.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink, type recordTitle } from '../links.tsx';
import { amountsOf, isListed } from './effect.tsx';

type FieldChange = RecordChange['fields'][number];

const MAX_LINES = 100;
/** Tables that follow from others, but whose fields are of interest. */
const WITH_FIELDS = new Set(['wallet_accounts', 'grants']);

/** The records that a request changed or removed, without those that are derived from others. Its trace has new ones. */
export function Changes({ changes }: { readonly changes: readonly RecordChange[] }) {
  const listed = changes.filter(
    (each) => each.change !== 'added' && (WITH_FIELDS.has(each.table) || isListed(each)),
  );
  const count = (kind: ChangeKind) => listed.filter(({ change }) => change === kind).length;
  if (listed.length === 0) return null;
  return (
    <Section id="changes" title="What it changed" aside={changesText(count)}>
      <ChangesTable label="Changed records" changes={listed} />
    </Section>
  );
}

type ChangeKind = RecordChange['change'];

/** Says how many changes there are of each kind, such as `1 added, 2 changed`. */
export const changesText = (count: (kind: ChangeKind) => number): string =>
  (['added', 'changed', 'removed'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${numberText(count(kind))} ${kind}`)
    .join(', ');

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
}

/** Records that differ, changed ones field by field, with both sides. */
export function ChangesTable({ label, changes }: ChangesTableProps) {
  const request = useRequest();
  const lines = changes.flatMap((record) => linesOf(request, record));
  return <DataTable label={label} rows={lines} most={MAX_LINES} columns={columnsOf(lines)} />;
}

function columnsOf(lines: readonly Line[]): Columns<Line> {
  const isMixed = lines.some(({ record }) => record.table !== lines[0]?.record.table);
  const align = lines.every(({ field }) => isNumeric(field)) ? '#' : '';
  return {
    Record: (line) => <RecordName line={line} isMixed={isMixed} />,
    ...(lines.some(({ held }) => held?.customer_id !== undefined) && {
      '~Customer': ({ held }) => <CustomerLink id={held?.customer_id} />,
    }),
    ...(lines.some(({ field }) => field) && {
      Field: ({ record, field }) => fieldText(record, field),
    }),
    ...(lines.some((line) => line.field || newAmounts(line).length > 0) && {
      [`${align}Before`]: (line) => <span class="muted">{cellOf(line, 'before')}</span>,
      [`${align}After`]: (line) => <strong>{cellOf(line, 'after')}</strong>,
      ...(lines.some(({ field }) => field) && { '#Difference': differenceOf }),
    }),
  };
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

/** What a record that is still there brought when it was added. */
const newAmounts = ({ record: { table, change }, held }: Line) =>
  held && change === 'added' ? amountsOf(table, held) : [];

function cellOf(line: Line, side: 'before' | 'after'): ComponentChildren {
  const { held, field } = line;
  if (!field) return side === 'after' ? amountLines(newAmounts(line)) : '–';
  const value = field[side];
  if (value === undefined || value === null) return '–';
  if (value === REDACTED) return 'secret';
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
function differenceOf({ held, field }: Line): ComponentChildren {
  const [from, to] = [String(field?.before), String(field?.after)];
  if (!NUMBER.test(from) || !NUMBER.test(to)) return null;
  const difference = subtract(decimal(to), decimal(from));
  const asset = assetOf(held);
  if (asset !== undefined && typeof field?.after === 'string')
    return <Amount amount={format(difference)} asset={asset} isSigned />;
  return `${isNegative(difference) ? '' : '+'}${numberText(format(difference))}`;
}

interface RecordNameProps {
  readonly line: Line;
  /** Whether there are records of several kinds. */
  readonly isMixed: boolean;
}

const SIGNS = { added: ['+', 'ok'], changed: ['~', 'none'], removed: ['−', 'fail'] } as const;

/** The name of a record, as a link if the world still has it, after the sign of its change. */
function RecordName({ line: { record, held }, isMixed }: RecordNameProps) {
  const { table, change, name, words } = record;
  const [sign, tone] = SIGNS[change];
  return (
    <>
      <span class={`sign ${tone}`} role="img" aria-label={change}>
        {sign}
      </span>
      {held ? <RecordLink table={table as TableName} row={held} /> : <Words text={name || words} />}
      {isMixed && <small class="muted"> {singularOf(table)}</small>}
    </>
  );
}
