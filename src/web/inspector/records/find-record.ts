import { findFee } from '../../../control/explain/find-usage.ts';
import type { Resumable } from '../../../state/resumable.ts';
import { key, type TableName, uuidKey } from '../../../state/schema.ts';
import type { Row } from '../../../state/table.ts';
import type { World } from '../../../state/world.ts';
import type { InspectorRequest } from '../inspector-request.ts';

/** Where a record is shown: a path below the inspector, and its parameters. */
export interface RecordPlace {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Tables whose records have a page of their own kind, by the prefix of their identifiers. */
const BY_PREFIX: Readonly<Record<string, TableName>> = {
  acc: 'accounts',
  cust: 'customers',
  dlv: 'deliveries',
  dst: 'webhooks',
  grt: 'grants',
  pay: 'fee_payments',
  prp: 'products',
  pss: 'portal_sessions',
  sub: 'subscriptions',
  top: 'top_ups',
  vnd: 'vendors',
};

/** Tables with pages made for them, by path; all others have the page of any record. */
const PATHS: Partial<Record<TableName, string>> = {
  customers: '/customers',
  products: '/products',
};

/** Tables whose records are shown on the page of their customer. */
const OF_CUSTOMERS = new Set([
  'auto_top_ups',
  'portal_sessions',
  'portal_visits',
  'price_quantities',
  'totals',
  'wallet_accounts',
]);

/** Tables whose records are shown among others. */
const WITHIN: Partial<Record<TableName, string>> = {
  cost_claims: '/profit',
  daily_totals: '/profit',
  delivery_pauses: '/webhooks',
  payment_links: '/customers',
  vendor_days: '/profit',
  warnings: '/warnings',
};

interface Whose {
  readonly owner?: string;
  readonly event_id?: string;
  readonly customer_id?: string;
  readonly product_id?: string;
}

/** Where a record of a table is shown. */
export function placeOf(
  table: string,
  { id, ...row }: Row & Readonly<Record<string, unknown>>,
): RecordPlace {
  const { owner = '', event_id, customer_id, product_id } = row as Whose;
  if (table === 'events')
    return { path: `/events/${part(String(event_id))}`, parameters: { owner } };
  if (table === 'webhook_events')
    return { path: `/webhooks/${part(String(event_id))}`, parameters: { owner } };
  if (table === 'versions') return { path: `/products/${part(String(product_id))}` };
  if (OF_CUSTOMERS.has(table)) return { path: `/customers/${part(String(customer_id ?? id))}` };
  const within = WITHIN[table as TableName];
  if (within !== undefined) return { path: within };
  const path = PATHS[table as TableName];
  return { path: path ? `${path}/${part(id)}` : `/records/${table}/${part(id)}` };
}

/** The address of the page of a record. */
export function recordAddress({ link }: InspectorRequest, table: string, row: Row): string {
  const { path, parameters } = placeOf(table, { ...row });
  return link(path, parameters);
}

const part = encodeURIComponent;

type Found = RecordPlace | undefined;

const at = (table: TableName, row: Row | undefined): Found => row && placeOf(table, { ...row });

/** The page of a record, or undefined; in steps where many rows are looked through. */
type Finder = (request: InspectorRequest, id: string) => Found | Resumable<Found>;

/** Ways from an identifier to its record, in the order in which they are tried. */
const FINDERS: readonly Finder[] = [
  (_request, id) => (/^A-\d+$/i.test(id) ? assumption(id.toUpperCase()) : undefined),
  findExchange,
  findByPrefix,
  findTask,
  findOfOwner,
  findTransaction,
  findPayment,
  findPrice,
  findFeesEvent,
  findByOtherName,
];

const assumption = (id: string): RecordPlace => ({
  path: '/assumptions',
  parameters: { q: `id:${id}` },
});

/** The page of whatever an identifier, an external one or a name stands for; undefined where it is not here. */
export function* findRecord(request: InspectorRequest, id: string): Resumable<Found> {
  for (const find of FINDERS) {
    const found = find(request, id);
    const place = found && 'next' in found ? yield* found : found;
    if (place) return place;
  }
  return undefined;
}

/** Whether a world holds a record of an identifier. */
export function isIn(world: World, id: string): boolean {
  const table = tableOf(id);
  return table !== undefined && world.tables[table].get(id) !== undefined;
}

const tableOf = (id: string): TableName | undefined => BY_PREFIX[id.split('_')[0] ?? ''];

function findExchange({ world, control }: InspectorRequest, id: string): RecordPlace | undefined {
  const found = control.requests.list(world).find(({ requestId }) => requestId === id);
  return found && { path: `/requests/${found.ordinal}` };
}

function findByPrefix({ world }: InspectorRequest, id: string): RecordPlace | undefined {
  const table = tableOf(id);
  const found = table && at(table, world.tables[table].get(id));
  return found ?? (id === world.accountId ? { path: '' } : undefined);
}

function findTask({ world: { tables } }: InspectorRequest, id: string): Found {
  return at('tasks', tables.tasks.get(id));
}

/** Usage and webhook events, whose keys hold their owner. */
function findOfOwner({ world }: InspectorRequest, id: string): RecordPlace | undefined {
  const { tables } = world;
  for (const owner of ownersOf(world)) {
    const found =
      at('events', tables.events.get(uuidKey(owner, id))) ??
      at('webhook_events', tables.webhook_events.get(key(owner, id)));
    if (found) return found;
  }
  return undefined;
}

const ownersOf = ({ accountId, tables }: World): readonly string[] => [
  accountId,
  ...[...tables.accounts.values()].map(({ id }) => id),
];

function* findTransaction({ world }: InspectorRequest, id: string): Resumable<Found> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) return undefined;
  const { transactions } = world.tables;
  const find = () => transactions.first('id', id.toLowerCase());
  const row = yield* transactions.prepared('id', find);
  return row && placeOf('transactions', { ...row });
}

function findPayment({ world: { tables } }: InspectorRequest, id: string): RecordPlace | undefined {
  const link = tables.payment_links.get(id);
  return (
    at('subscriptions', tables.subscriptions.first('payment', id)) ??
    at('top_ups', tables.top_ups.first('payment', id)) ??
    (link && { path: `/records/subscriptions/${part(link.subscription_id)}` })
  );
}

function findPrice({ world }: InspectorRequest, id: string): RecordPlace | undefined {
  if (!id.startsWith('prc_')) return undefined;
  for (const { product_id, prices } of world.tables.versions.values())
    if (prices.some((price) => price.id === id)) return { path: `/products/${part(product_id)}` };
  return undefined;
}

function* findFeesEvent({ control }: InspectorRequest, id: string): Resumable<Found> {
  const found = yield* findFee(control, id);
  return at('events', found?.event);
}

/** External ids, codes of products and assets, addresses; then names and subjects, of which there may be several. */
function* findByOtherName(request: InspectorRequest, name: string): Resumable<Found> {
  const { tables } = request.world;
  for (const owner of ownersOf(request.world)) {
    const name_ = key(owner, name);
    const asset = tables.assets.list('listed', owner).find(({ code }) => code === name);
    const found =
      at('customers', tables.customers.first('external', name_)) ??
      at('customers', tables.customers.first('email', key(owner, name.toLowerCase()))) ??
      at('vendors', tables.vendors.first('external', name_)) ??
      at('accounts', tables.accounts.first('external', name_)) ??
      at('products', tables.products.first('code', name_)) ??
      at('assets', asset);
    if (found) return found;
  }
  return yield* findByName(request, name.toLowerCase());
}

function* findByName({ world: { tables } }: InspectorRequest, name: string): Resumable<Found> {
  const { customers, vendors, versions, tasks } = tables;
  const named = yield* customers.prepared('names', () => customers.holding('names', name));
  const found = yield* firstTwo(named, (row) => row !== undefined);
  if (found.length > 1) return { path: '/customers', parameters: { q: `"${name}"` } };
  if (found[0]) return placeOf('customers', { ...found[0] });
  const fits = (row: { readonly name: string }) => row.name.toLowerCase().includes(name);
  const [vendor] = yield* firstTwo(vendors.values(), fits);
  if (vendor) return placeOf('vendors', { ...vendor });
  const [version] = yield* firstTwo(versions.values(), fits);
  if (version) return { path: `/products/${part(version.product_id)}` };
  const [task, another] = yield* tasks.prepared('names', () => tasks.list('names', name));
  if (another) return { path: '/events', parameters: { q: `subject:"${name}"` } };
  return at('tasks', task);
}

function* firstTwo<R>(rows: Iterable<R>, fits: (row: R) => boolean): Resumable<R[]> {
  const found: R[] = [];
  for (const row of rows) {
    if (fits(row)) found.push(row);
    if (found.length === 2) break;
    yield;
  }
  return found;
}
