import { add, decimal, format, isZero, negate, ZERO } from '../domain/decimal.ts';
import { gainText } from '../domain/postings.ts';
import type { EventRow, FeeRecord } from '../store/records.ts';
import { type RecordTables, uuidKey } from '../store/schema.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Violation } from './invariant.ts';

/**
 * What is wrong between usage events and the ledger: ids, fees and their transactions, quantities so far.
 *
 * @assumes, A-1501
 */
export function* verifyFees(tables: RecordTables): TimeSliced<Violation[]> {
  const fees = new Set<string>();
  const costs = new Set<string>();
  const used = new Map<string, string>();
  const ofEvents = yield* findInEach(tables.events.values(), (event) => [
    ...event.fees.flatMap((fee) => {
      if (fee.counted) count(used, fee.counted);
      return [
        ...addNew(fees, fee.id, fee, event, 'The fee is there twice.'),
        ...validateFee(tables, event, fee),
      ];
    }),
    ...event.costs.flatMap((cost) =>
      addNew(costs, uuidKey(event.owner, cost.id), cost, event, 'The cost is there twice.'),
    ),
  ]);
  const ofTransactions = yield* findInEach(tables.transactions.values(), (transaction) => {
    const { source, fee_id = '', transaction_id: id, customer_id } = transaction;
    if (source !== 'usage' || fees.has(fee_id)) return [];
    return [
      { invariant: 'fee_posted' as const, id, customer_id, message: `There is no fee ${fee_id}.` },
    ];
  });
  return [...ofEvents, ...ofTransactions, ...(yield* compareQuantities(tables, used))];
}

/** Adds the key of a part of an event to those before; a violation if it is among them. */
function addNew(
  known: Set<string>,
  key: string,
  { id }: { readonly id: string },
  { customer_id }: EventRow,
  message: string,
): Violation[] {
  if (known.has(key)) return [{ invariant: 'id_unique', id, customer_id, message }];
  known.add(key);
  return [];
}

function count(used: Map<string, string>, counted: NonNullable<FeeRecord['counted']>): void {
  const { quantity_id, quantity } = counted;
  const before = used.get(quantity_id);
  used.set(quantity_id, format(add(before ? decimal(before) : ZERO, decimal(quantity))));
}

function* compareQuantities(
  { price_quantities }: RecordTables,
  used: ReadonlyMap<string, string>,
): TimeSliced<Violation[]> {
  const violationsOf = (id: string): Violation[] => {
    const place = { id: `price_quantities ${id.replaceAll('\n', ' ')}` };
    const said = price_quantities.get(id)?.quantity;
    return differing('sum_recounted', place, used.get(id) ?? 'nothing', said ?? 'nothing');
  };
  return [
    ...(yield* findInEach(price_quantities.values(), ({ id }) => violationsOf(id))),
    ...(yield* findInEach(used.keys(), (id) => (price_quantities.get(id) ? [] : violationsOf(id)))),
  ];
}

function validateFee(tables: RecordTables, event: EventRow, fee: FeeRecord): Violation[] {
  const { id, transaction_id, amount } = fee;
  const { customer_id } = event;
  if (transaction_id === null) {
    const message = `No transaction takes its ${amount}.`;
    return isZero(decimal(amount)) ? [] : [{ invariant: 'fee_posted', id, customer_id, message }];
  }
  const posted = tables.transactions.get(uuidKey(customer_id, transaction_id));
  const said = posted
    ? [posted.fee_id, posted.event_id, posted.asset, gainText(posted)].join(' ')
    : 'no transaction';
  const wanted = format(negate(decimal(amount)));
  const due = [id, event.event_id, fee.terms.currency, wanted].join(' ');
  return differing('fee_posted', { id, customer_id }, due, said);
}
