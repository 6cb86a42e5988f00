import type { IdKind } from '../ids.ts';
import type { EventRow, VersionRow } from '../records.ts';
import type { Row } from '../row.ts';
import {
  key,
  priceQuantityKey,
  type RecordTables,
  type RowOf,
  TABLE_NAMES,
  uuidKey,
} from '../schema.ts';
import type { TimeSliced } from '../time-sliced.ts';

/** Fields that name a record, by the table that it must be in. */
const TARGETS: readonly (readonly [field: string, table: keyof RecordTables])[] = [
  ['customer_id', 'customers'],
  ['product_id', 'products'],
  ['subscription_id', 'subscriptions'],
  ['top_up_id', 'top_ups'],
];

/** The ids that are made of fields. */
const COMPOSED = {
  assets: ({ owner, code }) => key(owner, code),
  versions: ({ product_id, version }) => key(product_id, String(version)),
  wallet_accounts: ({ customer_id, name, asset }) => key(customer_id, `${name}:${asset}`),
  transactions: ({ customer_id, transaction_id }) => uuidKey(customer_id, transaction_id),
  events: ({ owner, event_id }) => uuidKey(owner, event_id),
  price_quantities: priceQuantityKey,
  tasks: ({ customer_id, subject }) => `${customer_id}:${subject}`,
  webhook_events: ({ owner, event_id }) => key(owner, event_id),
} satisfies { readonly [T in keyof RecordTables]?: (row: RowOf<T>) => string };

/** Tables whose ids are numbered, by the kind under which they are. */
const NUMBERED = {
  account: 'accounts',
  customer: 'customers',
  grant: 'grants',
  product: 'products',
  subscription: 'subscriptions',
  top_up: 'top_ups',
  vendor: 'vendors',
  webhook: 'webhooks',
} as const satisfies Partial<Readonly<Record<IdKind, keyof RecordTables>>>;

/** A record that does not fit the others, and why. */
interface Misfit {
  readonly table: string;
  readonly id: string;
  readonly message: string;
}

/** A row with the fields that may name others. */
type Naming = Row & Readonly<Record<string, unknown>>;

/**
 * Records that refer to missing ones, and kinds with more ids than were counted, whose next id could be an old one.
 * `platform` is the account that the world belongs to.
 */
export function* findMisfits(tables: RecordTables, platform: string): TimeSliced<Misfit[]> {
  const misfits: Misfit[] = [];
  for (const table of TABLE_NAMES)
    for (const row of tables[table].values() as Iterable<Naming>) {
      for (const message of [...validateId(table, row), ...validateRow(row, tables, platform)])
        misfits.push({ table, id: row.id, message });
      yield;
    }
  misfits.push(...(yield* validateProducts(tables)), ...(yield* validateBilling(tables)));
  for (const [kind, table] of Object.entries(NUMBERED))
    misfits.push(...(yield* validateCount(tables, kind, table)));
  return misfits;
}

/** Checks that an id agrees with the fields that it is composed of. */
function validateId(table: string, row: Naming): string[] {
  const compose = (COMPOSED as Readonly<Record<string, (row: never) => string>>)[table];
  const wanted = compose?.(row as never) ?? row.id;
  return wanted === row.id ? [] : [`Its fields make the id ${wanted.replaceAll('\n', ' ')}.`];
}

function validateRow(row: Naming, tables: RecordTables, platform: string): string[] {
  const messages: string[] = [];
  const { owner, customer_id, account_id } = row;
  if (typeof owner === 'string' && owner !== platform && !tables.accounts.get(owner))
    messages.push(`Its owner ${owner} does not exist.`);
  for (const [field, target] of TARGETS) {
    const named = row[field];
    if (typeof named === 'string' && !tables[target].get(named))
      messages.push(`Its ${field} ${named} does not exist.`);
  }
  if (typeof customer_id === 'string' && typeof account_id === 'string')
    if (!tables.wallet_accounts.get(key(customer_id, account_id)))
      messages.push(`Its account ${account_id} does not exist.`);
  return messages;
}

/** Checks that the versions of products and subscriptions exist. */
function* validateProducts({
  products: all,
  subscriptions,
  versions,
}: RecordTables): TimeSliced<Misfit[]> {
  const misfits: Misfit[] = [];
  const isThere = (id: string, version: number) => versions.get(key(id, String(version)));
  for (const { id, default_version, newest_version } of all.values()) {
    yield;
    for (const version of [default_version ?? newest_version, newest_version]) {
      const message = `Its version ${version} does not exist.`;
      if (!isThere(id, version)) misfits.push({ table: 'products', id, message });
    }
  }
  for (const { id, ...subscription } of subscriptions.values()) {
    yield;
    const former = subscription.history.map((held) => held.products);
    for (const product of [subscription.products, ...former].flat()) {
      const message = `Its version ${product.version} of ${product.code} does not exist.`;
      if (!isThere(product.id, product.version))
        misfits.push({ table: 'subscriptions', id, message });
    }
  }
  return misfits;
}

/** Whether each product of an event is billed by one version of the customer's, and each fee by a price of it. */
function* validateBilling(tables: RecordTables): TimeSliced<Misfit[]> {
  const { events, subscriptions, versions } = tables;
  const misfits: Misfit[] = [];
  for (const event of events.values()) {
    yield;
    const { id, customer_id, billed_by, fees } = event;
    const messages = validateCosts(event, tables);
    const deciding = new Map<string, VersionRow | undefined>();
    for (const { id: product, code, version, subscription_id, superseded } of billed_by) {
      const held = versions.get(key(product, String(version)));
      if (!held) messages.push(`Its version ${version} of ${code} does not exist.`);
      if (subscriptions.get(subscription_id)?.customer_id !== customer_id)
        messages.push(`Its customer has no subscription ${subscription_id}.`);
      if (superseded) continue;
      if (deciding.has(product)) messages.push(`Two versions of ${code} bill it.`);
      deciding.set(product, held);
    }
    for (const { id: product, code } of billed_by)
      if (!deciding.has(product)) messages.push(`No version of ${code} bills it.`);
    for (const { terms } of fees) {
      const version = deciding.get(terms.product_id);
      const price = version?.prices.find(({ id }) => id === terms.price_id);
      const isPriced = price?.pricing.some(({ asset }) => asset === terms.currency);
      if (version?.version !== terms.product_version || !isPriced)
        messages.push(
          `No version that bills it has the price ${terms.price_id} of a fee in ${terms.currency}.`,
        );
    }
    for (const message of messages) misfits.push({ table: 'events', id, message });
  }
  return misfits;
}

/** Checks that the vendors of an event's costs exist, and that the ids of these costs are taken by it. */
function validateCosts({ event_id, owner, costs }: EventRow, tables: RecordTables): string[] {
  const messages: string[] = [];
  for (const { id: cost, vendor_id } of costs) {
    if (!tables.vendors.get(vendor_id))
      messages.push(`The vendor ${vendor_id} of its cost ${cost} does not exist.`);
    if (tables.cost_claims.get(uuidKey(owner, cost))?.event !== event_id)
      messages.push(`The id ${cost} of its cost is not in the table cost_claims.`);
  }
  return messages;
}

function* validateCount(
  tables: RecordTables,
  kind: string,
  table: keyof RecordTables,
): TimeSliced<Misfit[]> {
  const counts = new Map<string, number>();
  for (const { owner } of tables[table].values() as Iterable<Row & { readonly owner: string }>) {
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
    yield;
  }
  return [...counts].flatMap(([owner, count]) => {
    const id = key(owner, kind);
    const last = tables.ordinals.get(id)?.last ?? 0;
    const message = `Expected at least ${count} as the last number of a ${kind}, got ${last}.`;
    return last < count ? [{ table: 'ordinals', id, message }] : [];
  });
}
