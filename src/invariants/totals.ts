import { add, type Decimal, type DecimalText, decimal, format, ZERO } from '../domain/decimal.ts';
import { dayOf } from '../domain/instant.ts';
import type { EventRow } from '../store/records.ts';
import { key, type RecordTables } from '../store/schema.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Violation } from './invariant.ts';

interface Sum {
  readonly revenue: Decimal;
  readonly cost: Decimal;
  readonly count: number;
}

const NOTHING: Sum = { revenue: ZERO, cost: ZERO, count: 0 };

/** Recalculated sums by their ids. */
type Sums = Map<string, Sum>;
type SumsByTable = Readonly<Record<'totals' | 'vendor_days' | 'tasks', Sums>>;

/** A stored sum; some have no count. */
interface StoredSum {
  readonly id: string;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
  readonly count?: number;
}

/**
 * Recalculates the stored sums from their records.
 *
 * @units   the reporting currency
 * @assumes A-903, A-904, A-1001
 */
export function* verifySums(tables: RecordTables): TimeSliced<Violation[]> {
  const sums: SumsByTable = { totals: new Map(), vendor_days: new Map(), tasks: new Map() };
  yield* recount(tables, sums);
  const violationsOf = (table: keyof SumsByTable, { id, ...stored }: StoredSum): Violation[] => {
    const { revenue, cost, count } = sums[table].get(id) ?? NOTHING;
    sums[table].delete(id);
    const dueCount = stored.count === undefined ? undefined : count;
    const due = formatSum(format(revenue), format(cost), dueCount);
    const got = formatSum(stored.revenue, stored.cost, stored.count);
    return differing('sum_recounted', placeOf(table, id), due, got);
  };
  const violations = [
    ...(yield* findInEach(tables.totals.values(), (row) => violationsOf('totals', row))),
    ...(yield* findInEach(tables.vendor_days.values(), (row) =>
      violationsOf('vendor_days', { ...row, revenue: '0' }),
    )),
    ...(yield* findInEach(tables.tasks.values(), (row) =>
      violationsOf('tasks', { ...row, count: row.event_count }),
    )),
  ];
  for (const [table, left] of Object.entries(sums))
    for (const [id, { revenue, cost, count }] of left) {
      yield;
      const due = formatSum(format(revenue), format(cost), count);
      violations.push(...differing('sum_recounted', placeOf(table, id), due, 'nothing'));
    }
  return violations;
}

/** Adds what each record comes to. */
function* recount(
  tables: RecordTables,
  { totals, vendor_days, tasks }: SumsByTable,
): TimeSliced<void> {
  const book = (customer: string, at: EventRow['occurred_at'], revenue: Decimal, cost = ZERO) => {
    count(totals, customer, revenue, cost);
    count(totals, key(customer, dayOf(at)), revenue, cost);
  };
  for (const event of tables.events.values()) {
    yield;
    const { customer_id, occurred_at, subject, costs } = event;
    const [revenue, cost] = [decimal(event.revenue), decimal(event.cost)];
    book(customer_id, occurred_at, revenue, cost);
    if (subject !== undefined) count(tasks, `${customer_id}:${subject}`, revenue, cost);
    for (const { vendor_id, category, cost: amount } of costs) {
      const day = key(vendor_id, dayOf(occurred_at));
      count(vendor_days, category === undefined ? day : key(day, category), ZERO, decimal(amount));
    }
  }
  for (const transaction of tables.transactions.values()) {
    yield;
    const { customer_id, created_at, fee_id, postings } = transaction;
    if (fee_id !== undefined) continue;
    for (const { revenue } of postings)
      if (revenue && revenue !== '0') book(customer_id, created_at, decimal(revenue));
  }
  for (const { customer_id, created_at, revenue, released } of tables.fee_payments.values()) {
    yield;
    if (revenue !== '0') book(customer_id, created_at, decimal(revenue));
    for (const { at, amount } of released) book(customer_id, at, decimal(amount));
  }
}

function count(sums: Sums, id: string, revenue: Decimal, cost: Decimal): void {
  const before = sums.get(id) ?? NOTHING;
  sums.set(id, {
    revenue: add(before.revenue, revenue),
    cost: add(before.cost, cost),
    count: before.count + 1,
  });
}

function formatSum(revenue: DecimalText, cost: DecimalText, count: number | undefined): string {
  return `revenue ${revenue}, cost ${cost}${count === undefined ? '' : ` of ${count}`}`;
}

const placeOf = (table: string, id: string) => ({ id: `${table} ${id.replaceAll('\n', ' ')}` });
