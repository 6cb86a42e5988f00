import { add, decimal, format, isZero, negate, ZERO } from '../../domain/decimal.ts';
import { gainText } from '../../domain/postings.ts';
import type { RecordTables } from '../captured-tables.ts';
import type { EventRow, FeeRecord } from '../records.ts';
import type { Resumable } from '../resumable.ts';
import { uuidKey } from '../schema.ts';
import { KeySet } from './key-set.ts';
import { type Breach, expected, type Law } from './ledger-laws.ts';

/**
 * What is wrong between usage events and the ledger: ids, fees and their transactions, quantities so far.
 *
 * @assumes, A-1501
 */
export function* verifyFees(tables: RecordTables): Resumable<Breach[]> {
  const breaches: Breach[] = [];
  const fees = new KeySet();
  const costs = new KeySet();
  const used = new Map<string, string>();
  for (const event of tables.events.values()) {
    yield;
    for (const fee of event.fees) {
      if (!fees.add(fee.id))
        breaches.push(breach('id_unique', fee.id, event, 'The fee is there twice.'));
      breaches.push(...judgeFee(tables, event, fee));
      if (fee.counted) count(used, fee.counted);
    }
    for (const { id } of event.costs) {
      if (!costs.add(uuidKey(event.owner, id)))
        breaches.push(breach('id_unique', id, event, 'The cost is there twice.'));
    }
  }
  for (const { source, fee_id = '', transaction_id, customer_id } of tables.transactions.values()) {
    yield;
    if (source === 'usage' && !fees.has(fee_id)) {
      const message = `There is no fee ${fee_id}.`;
      breaches.push({ law: 'fee_posted', id: transaction_id, customer_id, message });
    }
  }
  return [...breaches, ...(yield* compareQuantities(tables, used))];
}

function count(used: Map<string, string>, counted: NonNullable<FeeRecord['counted']>): void {
  const { quantity_id, quantity } = counted;
  const before = used.get(quantity_id);
  used.set(quantity_id, format(add(before ? decimal(before) : ZERO, decimal(quantity))));
}

function* compareQuantities(
  { price_quantities }: RecordTables,
  used: Map<string, string>,
): Resumable<Breach[]> {
  const breaches: Breach[] = [];
  const compare = (id: string, due: string | undefined, said: string | undefined) => {
    if (due === said) return;
    const message = expected(due ?? 'nothing', said ?? 'nothing');
    const about = `price_quantities ${id.replaceAll('\n', ' ')}`;
    breaches.push({ law: 'sum_recounted', id: about, message });
  };
  for (const { id, quantity } of price_quantities.values()) {
    compare(id, used.get(id), quantity);
    yield;
  }
  for (const [id, quantity] of used) {
    if (!price_quantities.get(id)) compare(id, quantity, undefined);
    yield;
  }
  return breaches;
}

function judgeFee(tables: RecordTables, event: EventRow, fee: FeeRecord): Breach[] {
  const { id, transaction_id, amount } = fee;
  if (transaction_id === null)
    return isZero(decimal(amount))
      ? []
      : [breach('fee_posted', id, event, `No transaction takes its ${amount}.`)];
  const posted = tables.transactions.get(uuidKey(event.customer_id, transaction_id));
  const said = posted
    ? [posted.fee_id, posted.event_id, posted.asset, gainText(posted)].join(' ')
    : 'no transaction';
  const wanted = format(negate(decimal(amount)));
  const due = [id, event.event_id, fee.terms.currency, wanted].join(' ');
  return said === due ? [] : [breach('fee_posted', id, event, expected(due, said))];
}

function breach(law: Law, id: string, { customer_id }: EventRow, message: string): Breach {
  return { law, id, customer_id, message };
}
