import { groupBy } from '../../../domain/group-by.ts';
import type { presentExchange } from '../../../http/log/present-exchange.ts';
import { DataTable, Shown } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { JsonView, Section } from '../../parts.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { recordAddress } from '../records/find-record.ts';
import { fieldValue, fieldWord } from '../records/values.tsx';

type Change = ReturnType<typeof presentExchange>['changes'][number];
type Fields = Readonly<Record<string, unknown>>;

interface FieldChange {
  readonly change: Change;
  readonly field: string;
}

const MAX_CHANGES = 100;
const MAX_OF_ROW = 5_000;

/** The fields that a request changed, before and after; then the records that it added or removed. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const kept = changes.filter(({ table }) => table !== 'ordinals');
  const isReplaced = ({ before, after }: Change) => before !== null && after !== null;
  const replaced = kept.filter(isReplaced);
  const others = groupBy(
    kept.filter((change) => !isReplaced(change)),
    ({ after, table }) =>
      `${after === null ? 'Removed' : 'Added'} in ${table.replaceAll('_', ' ')}`,
  );
  return (
    <Section id="changes" title="Changes">
      {kept.length === 0 && <p class="muted">Nothing.</p>}
      {replaced.length > 0 && <Fields fields={replaced.flatMap(fieldsOf)} />}
      {[...others].map(([title, group]) => (
        <Group key={title} title={title} changes={group} />
      ))}
    </Section>
  );
}

const MAX_OF_GROUP = 20;

interface GroupProps {
  readonly title: string;
  readonly changes: readonly Change[];
}

function Group({ title, changes }: GroupProps) {
  const shown = changes.slice(0, MAX_OF_GROUP);
  return (
    <details>
      <summary>
        {title}
        {changes.length > 1 && ` (${changes.length})`}
      </summary>
      {shown.map(({ id, before, after }, place) => (
        <JsonView
          key={id}
          label={`${after === null ? 'Before' : 'After'}, ${title.toLowerCase()}, ${place + 1}`}
          value={after ?? before}
          most={MAX_OF_ROW}
        />
      ))}
      <Shown count={shown.length} total={changes.length} />
    </details>
  );
}

function fieldsOf(change: Change): readonly FieldChange[] {
  const [before, after] = [change.before ?? {}, change.after ?? {}];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ change, field }));
}

function Fields({ fields }: { readonly fields: readonly FieldChange[] }) {
  const request = useRequest();
  const value = ({ change, field }: FieldChange, which: 'before' | 'after') =>
    shownValue(request, change[which] ?? {}, field);
  return (
    <DataTable
      label="Changed fields"
      rows={fields}
      most={MAX_CHANGES}
      columns={{
        Record: ({ change }) => <RecordName change={change} />,
        Field: ({ field }) => fieldWord(field),
        Before: (each) => value(each, 'before'),
        After: (each) => <strong>{value(each, 'after')}</strong>,
      }}
    />
  );
}

function RecordName({ change }: { readonly change: Change }) {
  const request = useRequest();
  const { table, id, after } = change;
  const href = recordAddress(request, table, { ...after, id });
  const name = id.split('\n').at(-1) ?? id;
  return (
    <>
      {fieldWord(table).replace(/s$/, '')} <Id id={name} href={href} />
    </>
  );
}

function shownValue(request: InspectorRequest, fields: Fields, name: string) {
  const { owner = request.world.accountId } = fields as { readonly owner?: string };
  const value = fieldValue(request.contextOf(owner), name, fields);
  if (value !== undefined) return value;
  if (fields[name] === null || fields[name] === undefined) return <span class="muted">–</span>;
  return <code>{JSON.stringify(fields[name]).slice(0, MAX_INLINE)}</code>;
}

const MAX_INLINE = 160;
