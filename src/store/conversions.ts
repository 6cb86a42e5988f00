import type { Holding } from '../domain/holdings.ts';
import { type FormerRevenue, formerRevenue } from './former-revenue.ts';
import type { SubscriptionStatus, TopUpStatus, TransactionSource } from './records.ts';
import type { Resumable } from './resumable.ts';
import type { Row } from './row.ts';
import type { TableName } from './schema.ts';
import type { WorldImage } from './world.ts';

/** Version of the records in data files and exports. A newer release writes a larger number. */
export const SCHEMA_VERSION = 4;

/** A row written by another release. */
// biome-ignore lint/suspicious/noExplicitAny: no type describes the rows of earlier releases
type FormerRow = any;
type Conversion = (row: FormerRow, former: FormerRevenue) => object;
type Conversions = { readonly [T in TableName]?: Conversion };
type StoredTables = WorldImage['tables'];

/** Tables of earlier releases that no longer exist. */
export const FORMER_TABLES: readonly string[] = ['disturbances'];

/** By version, the conversions of rows to the next version. */
const CONVERSIONS: Readonly<Record<number, Conversions>> = {
  1: {
    subscriptions: ({ payment_method: _former, ...row }) => ({
      ...row,
      status: statusOf(row),
      history: historyOf(row),
    }),
    top_ups: (row) => ({ ...row, status: TOP_UP_STATUSES[row.status] ?? row.status }),
    transactions: ({ type, revenue, ...row }, former) => ({
      ...withPlainCase(row),
      source: TRANSACTION_SOURCES[type] ?? type,
      former_revenue: former.countedBy({ ...row, revenue }),
    }),
    fee_payments: (row) => ({ ...row, worth: row.revenue, deferred: [], released: [] }),
    grants: ({ revenue_basis, ...row }, former) => {
      const worth = former.worthOf({ ...row, revenue_basis });
      return worth ? { ...row, worth } : row;
    },
    cost_claims: withPlainCase,
    deliveries: (row) => ({ ...withFaults(row), exchanges: row.exchanges.map(withFaults) }),
    events: (row) => ({
      ...withPlainCase(row),
      fees: row.fees.map(feeOf),
    }),
  },
  // What the postings say.
  2: { transactions: ({ amount: _amount, ...row }) => row },
  3: { events: (row) => ({ ...row, fees: row.fees.map(withSharedTerms) }) },
};

/** The terms of a fee named the subscription, as the products of its event do. */
function withSharedTerms({ terms, ...fee }: FormerRow): FormerRow {
  const { subscription_id: _subscription, ...shared } = terms;
  return { ...fee, terms: shared };
}

/** Fees did not share their terms. */
function feeOf(row: FormerRow): FormerRow {
  const { valuation: _valuation, id, amount, input_volume, revenue, ...rest } = row;
  const { transaction_id = null, counted, choices, ...terms } = rest;
  return {
    id,
    terms,
    ...{ amount, input_volume, revenue, transaction_id },
    ...(counted && { counted }),
    ...(choices && { choices }),
  };
}

/** Subscriptions that were free and had not started yet were inactive. */
const statusOf = ({ status, begins_at }: FormerRow): SubscriptionStatus =>
  status === 'inactive' && begins_at !== undefined ? 'scheduled' : status;

/** The present versions are taken as held since the start, or as past due since the failed renewal. */
function historyOf(row: FormerRow): Holding[] {
  const { status, started_at: from, begins_at, anchor, renews_at, products } = row;
  if (from === undefined || begins_at !== undefined || status === 'inactive') return [];
  if (status === 'active') return [{ from, products }];
  if (anchor === undefined || !(renews_at > from)) return [];
  return [
    { from, to: renews_at, products },
    { from: renews_at, products, past_due: true },
  ];
}

const TOP_UP_STATUSES: Readonly<Record<string, TopUpStatus>> = {
  processing: 'pending',
  completed: 'succeeded',
};
const TRANSACTION_SOURCES: Readonly<Record<string, TransactionSource>> = { fee: 'usage' };

/** Ids given by callers were stored in the case in which they were sent. */
function withPlainCase(row: FormerRow): FormerRow {
  return { ...row, id: row.id.toLowerCase() };
}

/** Faults were called disturbances. */
function withFaults({ disturbances, ...row }: FormerRow): FormerRow {
  return { ...row, faults: disturbances };
}

/** Converts tables of any version to the present one. The reporting currency is that of amounts of revenue. */
export function* convertTables(
  tables: StoredTables,
  version: number,
  reportingCurrency: string,
): Resumable<StoredTables> {
  let converted = Object.entries(tables).filter(([name]) => !FORMER_TABLES.includes(name));
  for (const [from, conversions] of Object.entries(CONVERSIONS)) {
    if (!(Number(from) >= version)) continue;
    const next: typeof converted = [];
    const former = formerRevenue(tables, reportingCurrency);
    for (const [name, rows] of converted) {
      const convert = conversions[name as TableName];
      next.push([name, convert ? rows.map((row) => convertRow(row, convert, former)) : rows]);
      yield;
    }
    converted = next;
  }
  return Object.fromEntries(converted);
}

/** A row that no release wrote stays as it is, to be reported by validation. */
function convertRow(row: Row, convert: Conversion, former: FormerRevenue): Row {
  try {
    return convert(row, former) as Row;
  } catch {
    return row;
  }
}
