import type { components } from '../spec/control.d.ts';
import { type ChangedValue, changedValues, pathText } from '../text/changed-values.ts';
import { REDACTED, type Redact, redact, redactText } from '../text/redaction.ts';
import type { Change, Row } from './row.ts';
import type { TableName } from './schema.ts';

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
  const words = wordsOf(table).name.map((fields) => wordAt(fields, row, findRow, redactIn));
  return cutText(redactIn(words.filter((word) => word !== '').join(' ')));
}

function wordAt(fields: string, row: Row, findRow: FindRow, redactIn: Redact): string {
  for (const field of fields.split('|')) {
    const values = valuesAt(row, field).filter((value) => value !== undefined && value !== null);
    const words = values.map((value) => {
      const table = Object.hasOwn(REFERENCES, field) ? REFERENCES[field] : undefined;
      const referred = table && findRow(table, String(value));
      const name = table && referred ? nameOf(table, referred, findRow, redactIn) : '';
      return (name || String(value)).replaceAll('\n', ' ');
    });
    if (words.length > 0) return words.join(', ');
  }
  return '';
}

/** The values at a path such as `payment.status`, or in each item of a list such as `products[].code`. */
function valuesAt(row: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [row];
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]');
    const name = isList ? step.slice(0, -2) : step;
    values = values.flatMap((value) => {
      const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return isList ? ((found ?? []) as readonly unknown[]) : [found];
    });
  }
  return values;
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

/** How the rows of a table are described. Fields are paths such as `payment.status` or `products[].code`. */
interface TableWords {
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
type HeadTable = 'clock' | 'requests' | 'sequence';

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

/** The tables of either side, in the order in which they are listed. */
export function inListedOrder(...sides: readonly object[]): readonly string[] {
  const known = Object.keys(TABLE_WORDS);
  const given = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...known.filter((name) => given.has(name)), ...given].filter(
    (name, place, all) => all.indexOf(name) === place,
  );
}
