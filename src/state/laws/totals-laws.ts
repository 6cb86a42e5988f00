import { add, type DecimalText, decimal, format } from '../../domain/decimal.ts';
import { dayOf } from '../../domain/instant.ts';
import type { RecordTables } from '../captured-tables.ts';
import type { EventRow } from '../records.ts';
import type { Resumable } from '../resumable.ts';
import { key } from '../schema.ts';
import { type Breach, expected } from './ledger-laws.ts';

/** What was counted under one key. */
interface Count {
  revenue: DecimalText;
  cost: DecimalText;
  count: number;
}

type Counts = Map<string, Count>;

/**
 * Counts the kept sums anew from the records they are made of.
 *
 * @units   the reporting currency
 * @assumes, A-1001
 */
export function* verifySums(tables: RecordTables): Resumable<Breach[]> {
  const totals: Counts = new Map();
  const vendors: Counts = new Map();
  const tasks: Counts = new Map();
  const book = (customer: string, at: EventRow['occurred_at'], revenue: string, cost = '0') => {
    count(totals, customer, revenue, cost);
    count(totals, key(customer, dayOf(at)), revenue, cost);
  };
  for (const event of tables.events.values()) {
    yield;
    const { customer_id, occurred_at, subject, revenue, cost, costs } = event;
    book(customer_id, occurred_at, revenue, cost);
    if (subject !== undefined) count(tasks, `${customer_id}:${subject}`, revenue, cost);
    for (const { vendor_id, category, cost: amount } of costs)
      count(vendors, vendorKey(vendor_id, dayOf(occurred_at), category), '0', amount);
  }
  for (const transaction of tables.transactions.values()) {
    yield;
    const { customer_id, created_at, fee_id, former_revenue, postings } = transaction;
    for (const revenue of [former_revenue, ...postings.map((posting) => posting.revenue)])
      if (fee_id === undefined && revenue && revenue !== '0')
        book(customer_id, created_at, revenue);
  }
  for (const { customer_id, created_at, revenue, released } of tables.fee_payments.values()) {
    if (revenue !== '0') book(customer_id, created_at, revenue);
    for (const { at, amount } of released) book(customer_id, at, amount);
  }

  const breaches: Breach[] = [];
  const compare = (table: string, counted: Counts, { id, ...sum }: Sum) => {
    const wanted = counted.get(id) ?? { revenue: '0', cost: '0', count: 0 };
    counted.delete(id);
    const due = say({ ...wanted, count: sum.count === undefined ? undefined : wanted.count });
    const said = say({ ...sum, count: sum.count });
    if (due !== said) breaches.push(sumBreach(table, id, due, said));
  };
  yield* each(tables.totals, (row) => compare('totals', totals, row));
  yield* each(tables.daily_totals, (row) => compare('totals', totals, row));
  yield* each(tables.vendor_days, (row) =>
    compare('vendor_days', vendors, { ...row, revenue: '0' }),
  );
  yield* each(tables.tasks, (row) => compare('tasks', tasks, { ...row, count: row.event_count }));
  for (const [table, counted] of Object.entries({ totals, vendor_days: vendors, tasks }))
    for (const [id, sum] of counted) breaches.push(sumBreach(table, id, say(sum), 'nothing'));
  return breaches;
}

function* each<R>(table: { values(): Iterable<R> }, judge: (row: R) => void): Resumable<void> {
  for (const row of table.values()) {
    judge(row);
    yield;
  }
}

function vendorKey(vendor: string, day: string, category: string | undefined): string {
  return category === undefined ? key(vendor, day) : key(vendor, day, category);
}

function count(counts: Counts, id: string, revenue: DecimalText, cost: DecimalText): void {
  const sum = counts.get(id) ?? { revenue: '0', cost: '0', count: 0 };
  sum.revenue = plus(sum.revenue, revenue);
  sum.cost = plus(sum.cost, cost);
  sum.count += 1;
  counts.set(id, sum);
}

interface Sum {
  readonly id: string;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
  readonly count?: number;
}

function say(sum: { revenue: string; cost: string; count: number | undefined }): string {
  const times = sum.count === undefined ? '' : ` of ${sum.count}`;
  return `revenue ${sum.revenue}, cost ${sum.cost}${times}`;
}

function sumBreach(table: string, id: string, due: string, said: string): Breach {
  return {
    law: 'sum_recounted',
    id: `${table} ${id.replaceAll('\n', ' ')}`,
    message: expected(due, said),
  };
}

const plus = (left: DecimalText, right: DecimalText): DecimalText =>
  right === '0' ? left : format(add(decimal(left), decimal(right)));
