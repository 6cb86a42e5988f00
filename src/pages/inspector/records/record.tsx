import type { TableName } from '../../../store/schema.ts';
import { redact } from '../../../text/redaction.ts';
import type { PageAnswer } from '../../answer.ts';
import { Id } from '../../id.tsx';
import { Facts, JsonView, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, OfAccount, StatusBadge } from '../links.tsx';
import { recordNotFound } from '../not-found.tsx';
import { RequestsBehind } from './origin.tsx';
import { RECORD_KINDS } from './record-kinds.tsx';
import { fieldValue, fieldWord } from './values.tsx';

/** Internal fields, and fields that are shown in the head of the page. */
const HIDDEN = new Set([
  'seq',
  'content',
  'body',
  'id',
  'customer_id',
  'owner',
  'status',
  'created_at',
  'name',
  'redirect_to',
  'webhook_event',
]);

export function showRecord(request: InspectorRequest): PageAnswer {
  const { table = '', id = '' } = request.parameters;
  const found = Object.hasOwn(RECORD_KINDS, table) ? RECORD_KINDS[table as TableName] : undefined;
  const row = found && request.world.tables[table as TableName].get(id);
  if (!found || !row) return recordNotFound(request);
  const fields = redact(row) as Fields;
  const context = request.contextOf(ownerOf(request, fields));
  const names = Object.keys(fields).filter(
    (name) => !HIDDEN.has(name) && !id.endsWith(`\n${fields[name]}`),
  );
  const facts = names.map((name) => [fieldWord(name), fieldValue(context, name, fields)]);
  const rest = Object.entries(fields).filter(
    ([name, value]) => names.includes(name) && isMore(value) && !found.isTold?.includes(name),
  );
  return (
    <InspectorPage
      request={request}
      owner={context.owner}
      section={found.section}
      title={found.name}
      heading={typeof fields['name'] === 'string' ? <Words text={fields['name']} /> : found.name}
      path={<Id id={id.split(/[\n:]/).at(-1) ?? id} href={request.here({})} canCopy />}
    >
      <About kind={found.name} fields={fields} />
      <Facts facts={Object.fromEntries(facts)} />
      {found.beside?.(request, row)}
      <RequestsBehind table={table} id={id} />
      {rest.length > 0 && (
        <Section id="rest" title="Other fields">
          <JsonView label="Other fields" value={Object.fromEntries(rest)} />
        </Section>
      )}
    </InspectorPage>
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is too large for one line. */
const isMore = (value: unknown): boolean =>
  typeof value === 'object' && Object.keys(value ?? {}).length > 0;

const ownerOf = ({ world }: InspectorRequest, { owner }: Fields): string =>
  typeof owner === 'string' ? owner : world.accountId;

/** The kind, status, customer, creation time and account of a record. */
function About({ kind, fields }: { readonly kind: string; readonly fields: Fields }) {
  const request = useRequest();
  const { name, status, customer_id, created_at } = fields;
  const owner = ownerOf(request, fields);
  return (
    <div class="about">
      {typeof name === 'string' && <span>{kind}</span>}
      {typeof status === 'string' && <StatusBadge status={status} />}
      {typeof customer_id === 'string' && <CustomerLink id={customer_id} />}
      {typeof created_at === 'string' && <Time as="exact" at={created_at} />}
      <OfAccount id={owner} />
    </div>
  );
}
