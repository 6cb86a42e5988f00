import type { TableName } from '../../../store/schema.ts';
import type { PageName } from '../../paths.ts';
import type { InspectorRequest, Parameters } from '../inspector-request.ts';

/** The page of a record: its name and its parameters. */
export interface RecordPlace {
  readonly page: PageName;
  readonly parameters?: Parameters;
}

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

/** A place on the page of the record's customer. */
const onCustomer =
  (parameters: (row: Linkable) => Parameters = () => ({})): PlaceOf =>
  (row) => ({
    page: 'customer',
    parameters: { id: row.customer_id ?? row.id, ...parameters(row) },
  });

const onPage =
  (page: PageName, parameters: (row: Linkable) => Parameters = () => ({})): PlaceOf =>
  (row) => ({ page, parameters: parameters(row) });

export const ofProduct = (id: string | undefined): RecordPlace => ({
  page: 'product',
  parameters: { id },
});
const ofEvent = onPage('event', ({ event_id, owner }) => ({ id: event_id, owner }));
const ofWebhookEvent = onPage('webhookEvent', ({ event_id, owner }) => ({ id: event_id, owner }));
const toItsPart = onCustomer(({ id }) => ({ '#': id }));
const payments = onCustomer(() => ({ q: 'payments', '#': 'timeline' }));

/** Where each table's records are shown. */
export const PLACES: Readonly<Record<TableName, PlaceOf>> = {
  accounts: onPage('customers', ({ id }) => ({ q: `account:${id}` })),
  assets: onPage('products', () => ({ '#': 'assets' })),
  auto_top_ups: onCustomer(),
  cost_claims: onPage('profit'),
  customers: ({ id }) => ({ page: 'customer', parameters: { id } }),
  deliveries: ofWebhookEvent,
  events: ofEvent,
  fee_payments: payments,
  grants: toItsPart,
  links: onCustomer(),
  ordinals: onPage('overview'),
  price_quantities: onCustomer(),
  products: ({ id }) => ofProduct(id),
  subscriptions: toItsPart,
  tasks: onPage('usage', ({ customer_id, subject }) => ({
    q: `customer:${customer_id} subject:"${subject}"`,
  })),
  top_ups: payments,
  totals: onCustomer(),
  transactions: onPage('ledger', ({ customer_id, transaction_id }) => ({
    q: `customer:${customer_id} id:${transaction_id}`,
  })),
  vendor_days: onPage('profit'),
  vendors: onPage('profit', () => ({ '#': 'vendors' })),
  versions: ({ product_id }) => ofProduct(product_id),
  wallet_accounts: onCustomer(),
  warnings: onPage('usage', () => ({ q: 'warning:*' })),
  webhook_events: ofWebhookEvent,
  webhooks: onPage('webhooks', ({ id }) => ({ q: `destination:${id}` })),
};

const isTable = (name: string): name is TableName => Object.hasOwn(PLACES, name);

/** Returns the URL of the page that shows a record. */
export function recordAddress({ link }: InspectorRequest, table: string, row: Linkable): string {
  const { page, parameters } = isTable(table) ? PLACES[table](row) : { page: 'overview' as const };
  return link(page, parameters);
}
