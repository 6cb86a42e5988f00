import type { components } from '../spec/control.d.ts';
import { type ChangedValue, changedValues, pathText } from '../text/changed-values.ts';
import { REDACTED, type Redact, redact, redactText } from '../text/redaction.ts';
import type { Change, Row } from './row.ts';
import type { RowOf, TableName } from './schema.ts';

export type RecordChange = components['schemas']['RecordChange'];
type FieldChange = components['schemas']['FieldChange'];

/** Returns the row of a table by its id, so that a reference to it is shown as its name. */
export type FindRow = (table: TableName, id: string) => Row | undefined;

const MAX_FIELDS = 20;
/** Fields of a new or removed row that say nothing about the record. */
const STORAGE_FIELDS = new Set(['id', 'seq', 'owner']);

/**
 * Describes the change of a row in terms of the domain, without secrets.
 *
 * @assumes A-1408
 */
export function describeChange(
  { table, id, before, after }: Change,
  findRow: FindRow,
  redactIn: Redact = redactText,
): RecordChange {
  const words = wordsOf(table);
  const isChanged = before !== undefined && after !== undefined;
  const fields = [...changedValues(before ?? {}, after ?? {})].filter(
    ({ at: [name] }) => isChanged || !STORAGE_FIELDS.has(String(name)),
  );
  return {
    change: isChanged ? 'changed' : before ? 'removed' : 'added',
    table,
    words: words.words,
    id: words.isKeyedByToken ? REDACTED : redactIn(id),
    name: nameOf(table, (after ?? before) as Row, findRow, redactIn),
    fields: fields.slice(0, MAX_FIELDS).map((change) => describeField(change, redactIn)),
    field_count: fields.length,
  };
}

/** The name of a row in its table, without secrets; empty for tables of one row. */
function nameOf(table: string, row: Row, findRow: FindRow, redactIn: Redact): string {
  const named: NameOf = (of, id) => {
    const referred = findRow(of, id);
    return (referred && nameOf(of, referred, findRow, redactIn)) || id;
  };
  const words = wordsOf(table).name(row as never, named);
  const known = words.filter((word) => word !== undefined && word !== null && word !== '');
  return cutText(redactIn(known.join(' ').replaceAll('\n', ' ')));
}

type Scalar = string | number | boolean | null;

const MAX_CHARACTERS = 120;
/** How many characters are shown before the first difference of two long texts. */
const LEAD = 20;

/** A difference without secrets; long texts are cut to the part around their first difference. */
function describeField({ at, ...values }: ChangedValue, redactIn: Redact): FieldChange {
  const name = String(at.findLast((step) => typeof step === 'string') ?? '');
  const before = 'before' in values ? scalarOf(name, values.before, redactIn) : undefined;
  const after = 'after' in values ? scalarOf(name, values.after, redactIn) : undefined;
  const isSecret = before === after;
  const isText = typeof before === 'string' && typeof after === 'string';
  const start = isText ? firstShown(before, after) : 0;
  return {
    field: pathText(at),
    ...(before !== undefined && { before: isSecret ? REDACTED : cutText(before, start) }),
    ...(after !== undefined && { after: isSecret ? REDACTED : cutText(after, start) }),
  };
}

function scalarOf(name: string, value: unknown, redactIn: Redact): Scalar {
  const { [name]: open } = redact({ [name]: value }, redactIn) as Readonly<Record<string, unknown>>;
  return typeof open === 'object' && open !== null ? JSON.stringify(open) : (open as Scalar);
}

function firstShown(before: string, after: string): number {
  if (before.length <= MAX_CHARACTERS && after.length <= MAX_CHARACTERS) return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return Math.max(0, same - LEAD);
}

/** Cuts a text to its part from a position on; other values stay as they are. */
function cutText<T>(value: T, start = 0): T | string {
  if (typeof value !== 'string') return value;
  const end = start + MAX_CHARACTERS;
  const part = value.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${end < value.length ? '…' : ''}`;
}

/** The name of the row of a table to which another one refers by its id, else that id. */
type NameOf = (table: TableName, id: string) => string;

/** How the rows of a table are described. */
interface TableWords<R> {
  /** The rows in words, in the plural, if the name of the table is not enough. */
  readonly words?: string;
  /** What names a row. */
  name(row: R, named: NameOf): readonly (string | number | null | undefined)[];
  /** Whether its rows are derived from other rows. */
  readonly isDerived?: true;
  /** Whether the key of a row is a secret. */
  readonly isKeyedByToken?: true;
}

/** What an export has beside its tables, described as tables of one row. */
type HeadTable = 'clock' | 'requests' | 'sequence';

interface Titled {
  readonly name: string;
  readonly external_id?: string;
}
const byTitle = ({ external_id, name }: Titled) => [external_id ?? name];
const ofAccount = (row: { customer_id: string; account_id: string }, named: NameOf) => [
  named('customers', row.customer_id),
  row.account_id,
];
const byAmount = (
  row: { customer_id: string; amount: string; currency: string },
  named: NameOf,
) => [named('customers', row.customer_id), row.amount, row.currency];
const byId = ({ id }: Row) => [id];
const unnamed = () => [];

/** All parts of an export, in the order in which differences are listed. A missing one is a compile error. */
export const TABLE_WORDS: {
  readonly [T in HeadTable | TableName]: TableWords<T extends TableName ? RowOf<T> : Row>;
} = {
  clock: { name: unnamed },
  customers: { name: byTitle },
  subscriptions: {
    name: ({ customer_id, products }, named) => [
      named('customers', customer_id),
      products.map(({ code }) => code).join(', '),
    ],
  },
  products: { name: ({ code }) => [code] },
  versions: {
    words: 'product versions',
    name: ({ product_id, version }, named) => [named('products', product_id), version],
  },
  assets: { name: ({ code }) => [code] },
  vendors: { name: byTitle },
  accounts: { words: 'connected accounts', name: byTitle },
  wallet_accounts: { words: 'balances', name: ofAccount },
  grants: { name: (row, named) => [...ofAccount(row, named), row.source, row.amount] },
  transactions: {
    words: 'ledger transactions',
    name: (row, named) => [
      ...ofAccount(row, named),
      row.source,
      row.postings.map(({ amount }) => amount).join(', '),
    ],
  },
  events: {
    words: 'usage events',
    name: ({ customer_id, event_type, event_id }, named) => [
      named('customers', customer_id),
      event_type,
      event_id,
    ],
  },
  fee_payments: { words: 'fixed fees', name: byAmount },
  top_ups: { words: 'top-ups', name: byAmount },
  auto_top_ups: { words: 'automatic top-ups', name: ofAccount },
  tasks: { name: ({ customer_id, subject }, named) => [named('customers', customer_id), subject] },
  webhooks: { words: 'webhook destinations', name: ({ url }) => [url] },
  webhook_events: { name: ({ topic, event_id }) => [topic, event_id] },
  deliveries: {
    name: ({ topic, destination_id }, named) => [topic, named('webhooks', destination_id)],
  },
  links: {
    words: 'hosted links',
    name: ({ customer_id, kind }, named) => [named('customers', customer_id), kind],
    isKeyedByToken: true,
  },
  warnings: { name: ({ kind, message }) => [kind, message] },
  price_quantities: {
    words: 'quantities by price',
    name: ({ customer_id, price_name }, named) => [named('customers', customer_id), price_name],
    isDerived: true,
  },
  cost_claims: { words: 'ids of costs', name: byId, isDerived: true },
  totals: { name: ({ of, day }) => [of, day], isDerived: true },
  vendor_days: {
    words: 'vendor costs by day',
    name: ({ vendor_id, day, category }, named) => [named('vendors', vendor_id), day, category],
    isDerived: true,
  },
  ordinals: { words: 'numberings', name: byId, isDerived: true },
  sequence: { words: 'records created', name: unnamed, isDerived: true },
  requests: { words: 'requests answered', name: unnamed, isDerived: true },
};

/** The tables to whose rows names refer. */
export const REFERRED: readonly TableName[] = ['customers', 'webhooks', 'products', 'vendors'];

/** How the rows of a table are described. */
export const wordsOf = (table: string): TableWords<never> & { readonly words: string } => ({
  words: table.replaceAll('_', ' '),
  ...TABLE_WORDS[table as TableName],
});

/** The id of the customer to whom a changed row belongs; undefined for a row of nobody. */
export function customerOf({ table, id, before, after }: Change): string | undefined {
  if (table === 'customers') return id;
  const row = (after ?? before) as { readonly customer_id?: string } | undefined;
  return row?.customer_id;
}

/** A table in words, for one of its rows. Its noun is last, or before what it is of. */
export const singularOf = (table: string): string => wordsOf(table).words.replace(PLURAL, singular);

const PLURAL = /(?:ies|s)(?=$| (?:of|by|created|answered)\b)/;
const singular = (ending: string): string => (ending === 'ies' ? 'y' : '');
