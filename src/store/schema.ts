import { drawOrder } from '../domain/grants.ts';
import { earliest, type Instant } from '../domain/instant.ts';
import type { DueIndex, SchemaIndex } from './indexes/row-index.ts';
import { InternPool } from './intern-pool.ts';
import type * as records from './records.ts';
import type { Row } from './row.ts';
import { type OnChange, Table } from './table.ts';

/** Joins the parts of a composed key. No part holds a line feed where it could end early. */
export function key(first: string, ...others: readonly string[]): string {
  let text = first;
  for (const part of others) text += `\n${part}`;
  return text;
}

/** The same for an id that is a UUID, whose case says nothing. @assumes A-310 */
export const uuidKey = (owner: string, id: string): string =>
  starts.intern(owner, `${owner}\n`) + id.toLowerCase();

export const versionKey = (productId: string, version: number): string =>
  key(productId, String(version));

/** Prefixes of keys by owner, shared by the rows of an owner to save memory. */
const starts = new InternPool<string>();

const byOwner = { fields: ['owner'], key: (row: { owner: string }) => row.owner };
/** The only key of indexes that cover a whole table. */
export const ALL = 'all';
/** For tables of which also the rows of all accounts are listed. */
const ofAllOwners = { owner: byOwner, all: { fields: [], key: () => ALL } };
const byExternalId = {
  fields: ['owner', 'external_id'],
  key: (row: { owner: string; external_id?: string }) =>
    row.external_id === undefined ? undefined : key(row.owner, row.external_id),
};
const byCustomer = {
  fields: ['customer_id'],
  key: (row: { customer_id: string }) => row.customer_id,
};

/** When the rows of a table are due, by kind of work. */
const due = <R>(kinds: DueIndex<R>['due']): DueIndex<R> => ({ due: kinds });

/**
 * The key of an entitlement of a subscription across versions of its product: name, asset and, if a version has several
 * of these, the place among them.
 */
export function entitlementKey(
  {
    subscription_id,
    product_id,
    name,
    place = 0,
  }: Omit<NonNullable<records.GrantRow['entitlement']>, 'version' | 'index'>,
  asset: string,
): string {
  return key(subscription_id, product_id, name, asset, String(place));
}

/** The key of a customer's usage of a price in one asset, group and period. @assumes A-1501 */
export function priceQuantityKey(
  row: Omit<records.PriceQuantityRow, 'quantity' | keyof records.Owned>,
): string {
  const { customer_id, product_id, price_name, asset, dimensions, basis, period, since } = row;
  const group = JSON.stringify([price_name, Object.entries(dimensions).sort()]);
  return key(customer_id, product_id, group, asset, basis, period, since);
}

/** Every table of a world with its indexes, in the order of an export. */
const SCHEMA = {
  ordinals: define<records.OrdinalRow>()({}),
  accounts: define<records.ConnectedAccountRow>()({}),
  assets: define<records.AssetRow>()({
    listed: { key: (row) => (row.listed ? row.owner : undefined), order: (row) => row.code },
    due: due<records.AssetRow>({ rate_change: (row) => row.rates_change_at }),
  }),
  vendors: define<records.VendorRow>()({ external: byExternalId }),
  customers: define<records.CustomerRow>()({
    ...ofAllOwners,
    external: byExternalId,
  }),
  products: define<records.ProductRow>()({
    code: { fields: ['owner', 'code'], key: (row) => key(row.owner, row.code) },
  }),
  versions: define<records.VersionRow>()({
    product: { fields: ['product_id'], key: (row) => row.product_id },
  }),
  subscriptions: define<records.SubscriptionRow>()({
    customer: byCustomer,
    /** Those that ever started, or will, the most recently started last. */
    started: {
      key: (row) => (row.started_at === undefined ? undefined : row.customer_id),
      order: (row) => row.started_at as string,
    },
    due: due<records.SubscriptionRow>({
      payment_link_expiry: ({ payment }) =>
        payment?.status === 'open' ? payment.expires_at : undefined,
      payment_settlement: ({ payment }) => payment?.settles_at,
      renewal: (row) => (row.status === 'active' ? row.renews_at : undefined),
      refresh: (row) => row.refreshes_at,
      start: (row) => row.begins_at,
    }),
  }),
  fee_payments: define<records.FeePaymentRow>()({
    customer: byCustomer,
    subscription: { fields: ['subscription_id'], key: (row) => row.subscription_id },
  }),
  wallet_accounts: define<records.WalletAccountRow>()({
    customer: byCustomer,
  }),
  grants: define<records.GrantRow>()({
    account: {
      fields: ['customer_id', 'account_id'],
      key: (row) => key(row.customer_id, row.account_id),
    },
    /** The grants of one entitlement of a subscription. */
    entitlement: {
      key: ({ entitlement, asset }) => entitlement && entitlementKey(entitlement, asset),
    },
    /** Those with credit left, in draw-down order. */
    open: {
      key: (row) => (row.remaining === '0' ? undefined : key(row.customer_id, row.account_id)),
      order: drawOrder,
    },
    /** Those of a customer whose credit is not effective yet. */
    pending: { key: (row) => row.pending && row.customer_id },
    due: due<records.GrantRow>({
      grant_start: (row) => row.pending && row.effective_at,
      grant_expiry: (row) => (row.remaining === '0' || row.rolls_over ? undefined : row.expires_at),
      rolled_expiry: (row) =>
        row.remaining === '0' || !row.rolls_over ? undefined : row.expires_at,
    }),
  }),
  transactions: define<records.TransactionRow>()({
    ...ofAllOwners,
    customer: byCustomer,
  }),
  events: define<records.EventRow>()({
    ...ofAllOwners,
    customer: byCustomer,
    task: {
      fields: ['customer_id', 'subject'],
      key: (row) => (row.subject === undefined ? undefined : `${row.customer_id}:${row.subject}`),
    },
  }),
  price_quantities: define<records.PriceQuantityRow>()({}),
  cost_claims: define<records.CostClaimRow>()({}),
  totals: define<records.TotalsRow>()({}),
  vendor_days: define<records.VendorDayRow>()({
    vendor: { key: (row) => row.vendor_id, order: (row) => row.day },
  }),
  tasks: define<records.TaskRow>()({ customer: byCustomer }),
  top_ups: define<records.TopUpRow>()({
    customer: byCustomer,
    /** Pending ones by wallet account. */
    pending: {
      key: ({ status, customer_id, account_name, asset }) =>
        status === 'pending' ? key(customer_id, `${account_name}:${asset}`) : undefined,
    },
    due: due<records.TopUpRow>({
      top_up_link_expiry: ({ status, payment }) =>
        status === 'initiated' ? payment.expires_at : undefined,
      top_up_settlement: ({ payment }) => payment.settles_at,
    }),
  }),
  auto_top_ups: define<records.AutoTopUpRow>()({
    due: due<records.AutoTopUpRow>({ auto_top_up: ({ due_at }) => due_at }),
  }),
  links: define<records.LinkRow>()({
    visits: { key: ({ kind, customer_id }) => (kind === 'visit' ? customer_id : undefined) },
    due: due<records.LinkRow>({
      portal_link_expiry: ({ kind, expired, expires_at }) =>
        kind === 'portal' && !expired ? expires_at : undefined,
    }),
  }),
  webhooks: define<records.WebhookRow>()({ owner: byOwner }),
  webhook_events: define<records.WebhookEventRow>()({ ...ofAllOwners }),
  deliveries: define<records.DeliveryRow>()({
    ...ofAllOwners,
    event: { fields: ['webhook_event'], key: (row) => row.webhook_event },
    /** Those of a destination by what they wait for; those that wait for an instant, the earliest first. */
    waiting: {
      key: ({ waits_for, destination_id }) => waits_for && key(waits_for, destination_id),
      order: (row) => (row.waits_for === 'clock' ? (row.next_attempt_at ?? '') : ''),
    },
  }),
  warnings: define<records.WarningRow>()({
    ...ofAllOwners,
    event: {
      fields: ['owner', 'event_id'],
      key: ({ owner, event_id }) => event_id && uuidKey(owner, event_id),
    },
  }),
};

type Schema = typeof SCHEMA;
type DefinedRow<D> = D extends Definition<infer R, string> ? R : never;
type IndexOf<D> = D extends { readonly indexes: Readonly<Record<infer N extends string, unknown>> }
  ? N
  : never;

interface Definition<R extends Row, N extends string> {
  readonly indexes: Readonly<Record<N, SchemaIndex<R>>>;
}

export type TableName = keyof Schema;
export type RowOf<T extends TableName> = DefinedRow<Schema[T]>;
export type Tables = { readonly [T in TableName]: Table<RowOf<T>, IndexOf<Schema[T]>> };
/** Read access to the records of all tables, of a world or of a data file. */
export type RecordTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size'>;
};
export const TABLE_NAMES = Object.keys(SCHEMA) as readonly TableName[];

const WITH_DUE = TABLE_NAMES.filter((name) => 'due' in SCHEMA[name].indexes);

/** When the first row of all tables is due; undefined if none waits. */
export const earliestDue = (tables: Tables): Instant | undefined =>
  earliest(WITH_DUE.map((name) => tables[name].earliestDue()));

export function createTables(onChange: OnChange): Tables {
  const entries = TABLE_NAMES.map((name) => [
    name,
    new Table(name, SCHEMA[name].indexes as Record<string, SchemaIndex<Row>>, onChange),
  ]);
  return Object.fromEntries(entries) as Tables;
}

function define<R extends Row>() {
  return <const N extends string>(
    indexes: Readonly<Record<N, SchemaIndex<R>>>,
  ): Definition<R, N> => ({
    indexes,
  });
}
