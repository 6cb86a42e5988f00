import { add, type DecimalText, decimal, format } from '../domain/decimal.ts';
import { dayOf } from '../domain/instant.ts';
import type { EventRow } from '../store/records.ts';
import { key, type RecordTables } from '../store/schema.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Violation } from './invariant.ts';

/** The sums under one id. */
interface Count {
  revenue: DecimalText;
  cost: DecimalText;
  count: number;
}

/** Sums by both parts of an id: a single large map would be rehashed in one long pause. */
class Counts {
  readonly #byOwner = new Map<string, Map<string, Count>>();

  constructor(private readonly separator: string) {}

  add(owner: string, part: string, revenue: DecimalText, cost: DecimalText): void {
    const counts = this.#byOwner.get(owner) ?? new Map<string, Count>();
    if (counts.size === 0) this.#byOwner.set(owner, counts);
    const count = counts.get(part) ?? { revenue: '0', cost: '0', count: 0 };
    counts.set(part, count);
    count.revenue = plus(count.revenue, revenue);
    count.cost = plus(count.cost, cost);
    count.count += 1;
  }

  take(id: string): Count {
    const [owner = '', ...rest] = id.split(this.separator);
    const part = rest.join(this.separator);
    const counts = this.#byOwner.get(owner);
    const count = counts?.get(part) ?? { revenue: '0', cost: '0', count: 0 };
    counts?.delete(part);
    return count;
  }

  *left(): TimeSliced<(readonly [id: string, count: Count])[]> {
    const left: (readonly [string, Count])[] = [];
    for (const [owner, counts] of this.#byOwner) {
      for (const [part, count] of counts)
        left.push([part ? owner + this.separator + part : owner, count]);
      yield;
    }
    return left;
  }
}

/**
 * Recalculates the stored sums from their records.
 *
 * @units   the reporting currency
 * @assumes, A-1001
 */
export function* verifySums(tables: RecordTables): TimeSliced<Violation[]> {
  const counts = {
    totals: new Counts('\n'),
    vendor_days: new Counts('\n'),
    tasks: new Counts(':'),
  };
  yield* recount(tables, counts);
  const violationsOf = (table: keyof typeof counts, { id, ...sum }: Sum): Violation[] => {
    const wanted = counts[table].take(id);
    const due = formatSum({ ...wanted, count: sum.count === undefined ? undefined : wanted.count });
    return differing(
      'sum_recounted',
      placeOf(table, id),
      due,
      formatSum({ ...sum, count: sum.count }),
    );
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
  for (const [table, counted] of Object.entries(counts))
    for (const [id, sum] of yield* counted.left())
      violations.push(...differing('sum_recounted', placeOf(table, id), formatSum(sum), 'nothing'));
  return violations;
}

function* recount(
  tables: RecordTables,
  { totals, vendor_days, tasks }: Readonly<Record<'totals' | 'vendor_days' | 'tasks', Counts>>,
): TimeSliced<void> {
  const book = (customer: string, at: EventRow['occurred_at'], revenue: string, cost = '0') => {
    totals.add(customer, '', revenue, cost);
    totals.add(customer, dayOf(at), revenue, cost);
  };
  for (const event of tables.events.values()) {
    yield;
    const { customer_id, occurred_at, subject, revenue, cost, costs } = event;
    book(customer_id, occurred_at, revenue, cost);
    if (subject !== undefined) tasks.add(customer_id, subject, revenue, cost);
    for (const { vendor_id, category, cost: amount } of costs)
      vendor_days.add(vendor_id, partOfVendor(dayOf(occurred_at), category), '0', amount);
  }
  for (const transaction of tables.transactions.values()) {
    yield;
    const { customer_id, created_at, fee_id, postings } = transaction;
    if (fee_id !== undefined) continue;
    for (const { revenue } of postings)
      if (revenue && revenue !== '0') book(customer_id, created_at, revenue);
  }
  for (const { customer_id, created_at, revenue, released } of tables.fee_payments.values()) {
    yield;
    if (revenue !== '0') book(customer_id, created_at, revenue);
    for (const { at, amount } of released) book(customer_id, at, amount);
  }
}

const partOfVendor = (day: string, category: string | undefined): string =>
  category === undefined ? day : key(day, category);

interface Sum {
  readonly id: string;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
  readonly count?: number;
}

function formatSum(sum: { revenue: string; cost: string; count: number | undefined }): string {
  const times = sum.count === undefined ? '' : ` of ${sum.count}`;
  return `revenue ${sum.revenue}, cost ${sum.cost}${times}`;
}

const placeOf = (table: string, id: string) => ({ id: `${table} ${id.replaceAll('\n', ' ')}` });

const plus = (left: DecimalText, right: DecimalText): DecimalText =>
  right === '0' ? left : format(add(decimal(left), decimal(right)));
