import type { VNode } from 'preact';
import { redact } from '../../../http/log/redaction.ts';
import type {
  DeliveryRow,
  SubscriptionRow,
  TaskRow,
  TransactionRow,
  WebhookRow,
} from '../../../state/records.ts';
import { key, type TableName } from '../../../state/schema.ts';
import type { Row } from '../../../state/table.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { TableSection } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Facts, JsonView, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink, EventLink } from '../links.tsx';
import { notHere } from '../not-here.tsx';
import type { InspectorSection } from '../sections.tsx';
import { Attempts } from '../webhooks/deliveries.tsx';
import { RequestsBehind } from './origin.tsx';
import { fieldValue, fieldWord } from './values.tsx';

/** A kind of record: how it is called, which section it belongs to, and what is shown beside its fields. */
interface Kind<R> {
  readonly name: string;
  readonly section: InspectorSection;
  readonly beside?: (request: InspectorRequest, row: R) => VNode | null;
}

const kind = <R extends Row>(each: Kind<R>): Kind<Row> => each as unknown as Kind<Row>;

/** The kinds of records that are shown by their fields. */
const KINDS: Partial<Record<TableName, Kind<Row>>> = {
  accounts: { name: 'Connected account', section: '' },
  deliveries: kind<DeliveryRow>({ name: 'Delivery', section: '/webhooks', beside: attemptsOf }),
  fee_payments: { name: 'Fixed fee', section: '/customers' },
  grants: { name: 'Grant', section: '/customers' },
  subscriptions: kind<SubscriptionRow>({
    name: 'Subscription',
    section: '/customers',
    beside: productsOf,
  }),
  tasks: kind<TaskRow>({ name: 'Task', section: '/events', beside: eventsOf }),
  top_ups: { name: 'Top-up', section: '/customers' },
  transactions: kind<TransactionRow>({
    name: 'Transaction',
    section: '/ledger',
    beside: postingsOf,
  }),
  vendors: { name: 'Vendor', section: '/profit' },
  webhooks: kind<WebhookRow>({ name: 'Destination', section: '/webhooks', beside: latestOf }),
};

/** Kept for the emulator's own use alone. */
const HIDDEN = new Set(['seq', 'content', 'body']);

/** One record of any kind that has no page made for it. */
export function showRecord(request: InspectorRequest): PageAnswer {
  const { table = '', id = '' } = request.parameters;
  const found = Object.hasOwn(KINDS, table) ? KINDS[table as TableName] : undefined;
  const row = found && request.world.tables[table as TableName].get(id);
  if (!found || !row) return notHere(request);
  const fields = redact(row) as Readonly<Record<string, unknown>>;
  const { owner = request.world.accountId, customer_id } = row as Partial<TransactionRow>;
  const context = request.contextOf(owner);
  const names = Object.keys(fields).filter((name) => !HIDDEN.has(name));
  const facts = names.map((name) => [fieldWord(name), fieldValue(context, name, fields)]);
  const rest = names.filter((name) => typeof fields[name] === 'object' && fields[name] !== null);
  return {
    page: (
      <InspectorPage request={request} section={found.section} title={found.name}>
        <Facts
          facts={{
            ...(customer_id !== undefined && {
              Customer: <CustomerLink request={request} id={customer_id} />,
            }),
            ...Object.fromEntries(facts),
          }}
        />
        {found.beside?.(request, row)}
        <RequestsBehind request={request} table={table} id={id} />
        {rest.length > 0 && (
          <Section id="rest" title="What else it holds">
            <JsonView
              label="What else it holds"
              value={Object.fromEntries(rest.map((name) => [name, fields[name]]))}
            />
          </Section>
        )}
      </InspectorPage>
    ),
  };
}

function attemptsOf(_request: InspectorRequest, { exchanges, destination_id }: DeliveryRow) {
  return exchanges.length === 0 ? null : <Attempts exchanges={exchanges} to={destination_id} />;
}

function productsOf({ link }: InspectorRequest, { products }: SubscriptionRow) {
  return (
    <TableSection
      id="products"
      title="Products"
      rows={products}
      columns={{
        Product: ({ id, code }) => (
          <a href={link(`/products/${encodeURIComponent(id)}`)}>
            <Words text={code} />
          </a>
        ),
        Version: ({ version }) => version,
      }}
      empty="It has none."
    />
  );
}

function postingsOf(request: InspectorRequest, { postings, asset, owner }: TransactionRow) {
  const context = request.contextOf(owner);
  return (
    <TableSection
      id="postings"
      title="Postings"
      rows={postings}
      columns={{
        'From → to': ({ from, to }) => `${from} → ${to}`,
        Grant: ({ grant_id }) => grant_id !== undefined && <Id id={grant_id} />,
        '^#Amount': ({ amount }) => <Amount context={context} amount={amount} asset={asset} />,
      }}
    />
  );
}

const MOST_ROWS = 50;

function eventsOf(request: InspectorRequest, { customer_id, subject }: TaskRow) {
  const rows = request.world.tables.events.list('task', `${customer_id}:${subject}`);
  return (
    <TableSection
      id="events"
      title="Usage"
      rows={rows.slice(-MOST_ROWS).reverse()}
      total={rows.length}
      columns={{
        Type: (event) => (
          <EventLink request={request} event={event}>
            <Words text={event.event_type} />
          </EventLink>
        ),
        '^When': ({ occurred_at }) => <Time as="exact" at={occurred_at} />,
      }}
    />
  );
}

/** The latest webhook events that a destination was told of. */
function latestOf({ world, link }: InspectorRequest, { id, owner }: WebhookRow) {
  const events = world.tables.webhook_events.list('owner', owner).slice(-MOST_LOOKED_AT).reverse();
  const rows = events.filter(({ matched_destination_ids }) => matched_destination_ids.includes(id));
  return (
    <TableSection
      id="latest"
      title="Latest events"
      rows={rows}
      most={MOST_ROWS}
      columns={{
        Topic: ({ topic }) => topic,
        Event: ({ event_id }) => (
          <Id id={event_id} href={link(`/webhooks/${encodeURIComponent(event_id)}`, { owner })} />
        ),
        State: (row) =>
          world.tables.deliveries
            .list('event', key(owner, row.event_id))
            .filter(({ destination_id }) => destination_id === id)
            .map(({ status }) => status)
            .join(', '),
        '^When': ({ created_at }) => <Time as="exact" at={created_at} />,
      }}
      empty="It was told of nothing yet."
    />
  );
}

const MOST_LOOKED_AT = 1_000;
