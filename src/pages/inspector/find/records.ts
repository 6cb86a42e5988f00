import { findFee, ownersInScope, whoseRows } from '../../../control/scope.ts';
import { isNamed } from '../../../resources/customers/customer-lookup.ts';
import { rowsOf, select } from '../../../store/query.ts';
import { key, type TableName, type Tables, uuidKey } from '../../../store/schema.ts';
import type { World } from '../../../store/world.ts';
import type { PageName } from '../../paths.ts';
import type { InspectorRequest, Parameters } from '../inspector-request.ts';

/** The page of a record: its name and its parameters. */
interface RecordPlace {
  readonly page: PageName;
  readonly parameters: Parameters;
}

const place = (page: PageName, parameters: Parameters = {}): RecordPlace => ({ page, parameters });

/** The fields of a row from which its link is made. */
export interface Linkable {
  readonly id: string;
  readonly owner?: string;
  readonly event_id?: string;
  readonly customer_id?: string;
  readonly product_id?: string;
  readonly transaction_id?: string;
  readonly subject?: string;
}

type PlaceOf = (row: Linkable) => RecordPlace;

const onCustomer: PlaceOf = ({ customer_id, id }) => place('customer', { id: customer_id ?? id });
const onItsPart: PlaceOf = ({ customer_id, id }) => place('customer', { id: customer_id, '#': id });
const onPayments: PlaceOf = ({ customer_id }) =>
  place('customer', { id: customer_id, q: 'payments', '#': 'timeline' });
const onWebhookEvent: PlaceOf = ({ event_id, owner }) =>
  place('webhookEvent', { id: event_id, owner });

/** Where each table's records are shown. */
export const PLACES: Readonly<Record<TableName, PlaceOf>> = {
  accounts: ({ id }) => place('customers', { q: `account:${id}` }),
  assets: () => place('products', { '#': 'assets' }),
  auto_top_ups: onCustomer,
  cost_claims: () => place('profit'),
  customers: onCustomer,
  deliveries: onWebhookEvent,
  events: ({ event_id, owner }) => place('event', { id: event_id, owner }),
  fee_payments: onPayments,
  grants: onItsPart,
  links: onCustomer,
  ordinals: () => place('overview'),
  price_quantities: onCustomer,
  products: ({ id }) => place('product', { id }),
  subscriptions: onItsPart,
  tasks: ({ customer_id, subject }) =>
    place('usage', { q: `customer:${customer_id} subject:"${subject}"` }),
  top_ups: onPayments,
  totals: onCustomer,
  transactions: ({ customer_id, transaction_id }) =>
    place('ledger', { q: `customer:${customer_id} id:${transaction_id}` }),
  vendor_days: () => place('profit'),
  vendors: () => place('profit'),
  versions: ({ product_id }) => place('product', { id: product_id }),
  wallet_accounts: onCustomer,
  warnings: () => place('usage', { q: 'warning:*' }),
  webhook_events: onWebhookEvent,
  webhooks: ({ id }) => place('webhooks', { q: `destination:${id}` }),
};

const TABLES = Object.keys(PLACES) as readonly TableName[];

const isTable = (name: string): name is TableName => Object.hasOwn(PLACES, name);

/** Returns the URL of the page that shows a record. */
export function recordAddress({ link }: InspectorRequest, table: string, row: Linkable): string {
  const { page, parameters } = isTable(table) ? PLACES[table](row) : place('overview');
  return link(page, parameters);
}

type Found = RecordPlace | undefined;

const at = (table: TableName, row: Linkable | undefined): Found => row && PLACES[table](row);

/** Finds a record by its id, external id or name; undefined if this world does not have it. */
export const findRecord = async (request: InspectorRequest, id: string): Promise<Found> =>
  findExchange(request, id) ??
  findById(request, id) ??
  findOfOwner(request, id) ??
  (await findTransaction(request, id)) ??
  (await findFeesEvent(request, id)) ??
  findByOtherName(request, id);

/** Whether a world has a record with an id; of events only those of its own account. */
export const isIn = ({ tables, accountId }: World, id: string): boolean =>
  TABLES.some((table) => tables[table].get(id) !== undefined) ||
  tables.events.get(uuidKey(accountId, id)) !== undefined ||
  tables.webhook_events.get(key(accountId, id)) !== undefined;

function findExchange({ world, control }: InspectorRequest, id: string): RecordPlace | undefined {
  const found = control.requests.list(world).find(({ requestId }) => requestId === id);
  return found && place('request', { id: found.ordinal });
}

function findById({ world }: InspectorRequest, id: string): Found {
  for (const table of TABLES) {
    const found = at(table, world.tables[table].get(id));
    if (found) return found;
  }
  return id === world.accountId ? place('overview') : undefined;
}

/** Finds usage events and webhook events. Their keys contain the owner. */
function findOfOwner({ world, control }: InspectorRequest, id: string): Found {
  const { tables } = world;
  for (const owner of ownersInScope(control)) {
    const found =
      at('events', tables.events.get(uuidKey(owner, id))) ??
      at('webhook_events', tables.webhook_events.get(key(owner, id)));
    if (found) return found;
  }
  return undefined;
}

async function findTransaction({ world }: InspectorRequest, id: string): Promise<Found> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) return undefined;
  const alike = { transaction_id: id };
  return at('transactions', await select(world.tables.transactions, { alike }, ([row]) => row));
}

async function findFeesEvent({ control }: InspectorRequest, id: string): Promise<Found> {
  const found = await findFee(control, id);
  return at('events', found?.event);
}

/** Finds by external id, email address or code; then by names, of which several can match. */
async function findByOtherName(request: InspectorRequest, name: string): Promise<Found> {
  const { tables } = request.world;
  for (const owner of ownersInScope(request.control)) {
    const found =
      at('customers', rowsOf(tables.customers, { owner, external_id: name })[0]) ??
      at('customers', await withEmail(tables, owner, name)) ??
      at('products', rowsOf(tables.products, { owner, code: name })[0]);
    if (found) return found;
  }
  return findByName(request, name);
}

const withEmail = ({ customers }: Tables, owner: string, email: string) =>
  select(customers, { where: { owner }, alike: { email } }, ([first]) => first);

async function findByName({ world, control }: InspectorRequest, name: string): Promise<Found> {
  const { customers, versions } = world.tables;
  const where = whoseRows(control);
  const fits = [isNamed(name)];
  const named = `named ${name.toLowerCase()}`;
  const found = await select(customers, { where, fits, named }, (rows) => rows.slice(0, 2));
  if (found.length > 1) return place('customers', { q: `"${name}"` });
  return (
    at('customers', found[0]) ??
    at('versions', await select(versions, { fits }, ([first]) => first))
  );
}
