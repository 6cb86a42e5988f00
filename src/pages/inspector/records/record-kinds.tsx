import type { VNode } from 'preact';
import { gainText } from '../../../domain/postings.ts';
import type {
  AssetRow,
  DeliveryRow,
  GrantRow,
  SubscriptionRow,
  TaskRow,
  TransactionRow,
  WebhookRow,
} from '../../../store/records.ts';
import type { Row } from '../../../store/row.ts';
import { key, type TableName } from '../../../store/schema.ts';
import { Amount } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Time } from '../../time.tsx';
import { Cause } from '../customers/ledger.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { RecordLink } from '../links.tsx';
import type { InspectorSection } from '../sections.tsx';
import { Attempts, deliveryState, StateBadge } from '../webhooks/deliveries.tsx';
import { recordAddress } from './find-record.ts';

/** A kind of record: its name, its section, and the content of its page besides the fields. */
interface RecordKind<R> {
  readonly name: string;
  readonly section: InspectorSection;
  readonly beside?: (request: InspectorRequest, row: R) => VNode | null;
  /** Fields that `beside` shows. */
  readonly isTold?: readonly string[];
}

const kind = <R extends Row>(each: RecordKind<R>): RecordKind<Row> =>
  each as unknown as RecordKind<Row>;

/** The kinds of records that are shown on the generic record page. */
export const RECORD_KINDS: Partial<Record<TableName, RecordKind<Row>>> = {
  accounts: { name: 'Connected account', section: '' },
  assets: kind<AssetRow>({ name: 'Asset', section: '/products', beside: ratesOf }),
  deliveries: kind<DeliveryRow>({
    name: 'Delivery',
    section: '/webhooks',
    beside: attemptsOf,
    isTold: ['exchanges', 'request'],
  }),
  fee_payments: { name: 'Fixed fee', section: '/customers' },
  grants: kind<GrantRow>({ name: 'Grant', section: '/customers', beside: movementsOf }),
  subscriptions: kind<SubscriptionRow>({
    name: 'Subscription',
    section: '/customers',
    beside: productsOf,
    isTold: ['products'],
  }),
  tasks: kind<TaskRow>({ name: 'Task', section: '/events', beside: eventsOf }),
  top_ups: { name: 'Top-up', section: '/customers' },
  transactions: kind<TransactionRow>({
    name: 'Transaction',
    section: '/ledger',
    beside: postingsOf,
    isTold: ['postings'],
  }),
  vendors: { name: 'Vendor', section: '/profit' },
  webhooks: kind<WebhookRow>({ name: 'Destination', section: '/webhooks', beside: latestOf }),
};

function ratesOf(_request: InspectorRequest, { schedules }: AssetRow) {
  const rows = Object.entries(schedules).flatMap(([source, periods]) =>
    periods.map((period) => ({ source, ...period })),
  );
  return (
    <TableSection
      id="rates"
      title="Rates"
      rows={rows}
      columns={{
        Currency: ({ source }) => source,
        '^#Rate': ({ rate }) => rate,
        From: ({ valid_from }) => <Time as="exact" at={valid_from} />,
        Until: ({ valid_to }) => <Time as="exact" at={valid_to} none="further notice" />,
      }}
      empty="No exchange rates."
    />
  );
}

function attemptsOf(_request: InspectorRequest, { exchanges, destination_id }: DeliveryRow) {
  return exchanges.length === 0 ? null : <Attempts exchanges={exchanges} to={destination_id} />;
}

function productsOf(_request: InspectorRequest, { products }: SubscriptionRow) {
  return (
    <TableSection
      id="products"
      title="Products"
      rows={products}
      columns={{
        Product: (product) => <RecordLink table="products" row={product} text={product.code} />,
        Version: ({ version }) => version,
      }}
      empty="No products."
    />
  );
}

function postingsOf(_request: InspectorRequest, { postings, asset }: TransactionRow) {
  return (
    <TableSection
      id="postings"
      title="Postings"
      rows={postings}
      columns={{
        'From → to': ({ from, to }) => `${from} → ${to}`,
        Grant: ({ grant_id }) => grant_id !== undefined && <Id id={grant_id} />,
        '^#Amount': ({ amount }) => <Amount amount={amount} asset={asset} />,
      }}
    />
  );
}

const MAX_ROWS = 50;
/** Only the customer's latest entries are looked at. */
const MAX_ENTRIES = 10_000;

/** The ledger entries that gave, drew or took away the credit of a grant. */
function movementsOf(request: InspectorRequest, { id, customer_id, owner, asset }: GrantRow) {
  const rows = request.world.tables.transactions
    .list('customer', customer_id)
    .slice(-MAX_ENTRIES)
    .filter(({ postings }) => postings.some(({ grant_id }) => grant_id === id))
    .reverse();
  const amountIn = ({ postings }: TransactionRow) =>
    gainText({ postings: postings.filter(({ grant_id }) => grant_id === id) });
  return (
    <TableSection
      id="movements"
      title="Movements"
      rows={rows}
      most={MAX_ROWS}
      columns={{
        What: (row) => (
          <a href={recordAddress(request, 'transactions', row)}>{row.source.replace('_', ' ')}</a>
        ),
        For: (row) => <Cause row={row} />,
        '^#Amount': (row) => <Amount owner={owner} amount={amountIn(row)} asset={asset} isSigned />,
        When: ({ created_at }) => <Time as="exact" at={created_at} />,
      }}
      empty="No movements yet."
    />
  );
}

function eventsOf(request: InspectorRequest, { customer_id, subject }: TaskRow) {
  const rows = request.world.tables.events.list('task', `${customer_id}:${subject}`);
  return (
    <TableSection
      id="events"
      title="Usage"
      rows={rows.slice(-MAX_ROWS).reverse()}
      total={rows.length}
      columns={{
        Type: (event) => <RecordLink table="events" row={event} text={event.event_type} />,
        '^When': ({ occurred_at }) => <Time as="exact" at={occurred_at} />,
      }}
    />
  );
}

function latestOf(request: InspectorRequest, { id, owner }: WebhookRow) {
  const { world } = request;
  const events = world.tables.webhook_events.list('owner', owner).slice(-MAX_LOOKED_AT).reverse();
  const rows = events.filter(({ matched_destination_ids }) => matched_destination_ids.includes(id));
  return (
    <TableSection
      id="latest"
      title="Latest events"
      rows={rows}
      most={MAX_ROWS}
      columns={{
        Topic: ({ topic }) => topic,
        Event: (row) => (
          <Id id={row.event_id} href={recordAddress(request, 'webhook_events', row)} />
        ),
        State: (row) =>
          world.tables.deliveries
            .list('event', key(owner, row.event_id))
            .filter(({ destination_id }) => destination_id === id)
            .map((each) => <StateBadge key={each.id} state={deliveryState(each)} />),
        '^When': ({ created_at }) => <Time as="exact" at={created_at} />,
      }}
      empty="No events yet."
    />
  );
}

const MAX_LOOKED_AT = 1_000;

const WITH_OWN_PAGES = new Set(['customers', 'events', 'products', 'webhook_events']);

export const hasPage = (table: string): boolean =>
  Object.hasOwn(RECORD_KINDS, table) || WITH_OWN_PAGES.has(table);
