import type { TableName } from '../schema.ts';

/** How the rows of a table are described. Fields are paths such as `payment.status` or `products[].code`. */
export interface TableWords {
  /** The rows in words, in the plural, if the name of the table is not enough. */
  readonly words?: string;
  /** The fields that name a row; of `a|b` the first that it has. References are replaced by names. */
  readonly name: readonly string[];
  /** Whether its rows are derived from other rows. */
  readonly isDerived?: true;
  /** Whether the key of a row is a secret. */
  readonly isKeyedByToken?: true;
}

/** What an export has beside its tables, described as tables of one row. */
export type HeadTable = 'clock' | 'requests' | 'sequence';

/** All parts of an export, in the order in which differences are listed. A missing one is a compile error. */
export const TABLE_WORDS: Readonly<Record<HeadTable | TableName, TableWords>> = {
  clock: { name: [] },
  customers: { name: ['external_id|name'] },
  subscriptions: { name: ['customer_id', 'products[].code'] },
  products: { name: ['code'] },
  versions: {
    words: 'product versions',
    name: ['product_id', 'version'],
  },
  assets: { name: ['code'] },
  vendors: { name: ['external_id|name'] },
  accounts: { words: 'connected accounts', name: ['external_id|name'] },
  wallet_accounts: {
    words: 'balances',
    name: ['customer_id', 'account_id'],
  },
  grants: {
    name: ['customer_id', 'account_id', 'source', 'amount'],
  },
  transactions: {
    words: 'ledger transactions',
    name: ['customer_id', 'account_id', 'source', 'postings[].amount'],
  },
  events: {
    words: 'usage events',
    name: ['customer_id', 'event_type', 'event_id'],
  },
  fee_payments: {
    words: 'fixed fees',
    name: ['customer_id', 'amount', 'currency'],
  },
  top_ups: {
    words: 'top-ups',
    name: ['customer_id', 'amount', 'currency'],
  },
  auto_top_ups: { words: 'automatic top-ups', name: ['customer_id', 'account_id'] },
  tasks: { name: ['customer_id', 'subject'] },
  webhooks: { words: 'webhook destinations', name: ['url'] },
  webhook_events: { name: ['topic', 'event_id'] },
  deliveries: { name: ['topic', 'destination_id'] },
  links: { words: 'hosted links', name: ['customer_id', 'kind'], isKeyedByToken: true },
  warnings: { name: ['kind', 'message'] },
  price_quantities: {
    words: 'quantities by price',
    name: ['customer_id', 'price_name'],
    isDerived: true,
  },
  cost_claims: { words: 'ids of costs', name: ['id'], isDerived: true },
  totals: { name: ['of', 'day'], isDerived: true },
  vendor_days: {
    words: 'vendor costs by day',
    name: ['vendor_id', 'day', 'category'],
    isDerived: true,
  },
  ordinals: { words: 'numberings', name: ['id'], isDerived: true },
  sequence: { words: 'records created', name: [], isDerived: true },
  requests: { words: 'requests answered', name: [], isDerived: true },
};

/** The tables to which fields refer by id. */
export const REFERENCES: Readonly<Record<string, TableName>> = {
  customer_id: 'customers',
  destination_id: 'webhooks',
  product_id: 'products',
  vendor_id: 'vendors',
};

/** How the rows of any table are described, even of an unknown one. */
export function wordsOf(table: string): TableWords & { readonly words: string } {
  return Object.hasOwn(TABLE_WORDS, table)
    ? { words: table.replaceAll('_', ' '), ...TABLE_WORDS[table as TableName] }
    : { words: table, name: ['id'] };
}

/** The tables of either side, in the order in which they are listed. */
export function inTellingOrder(...sides: readonly object[]): readonly string[] {
  const known = Object.keys(TABLE_WORDS);
  const given = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...known.filter((name) => given.has(name)), ...given].filter(
    (name, place, all) => all.indexOf(name) === place,
  );
}
