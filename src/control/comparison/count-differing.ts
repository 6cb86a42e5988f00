import type { TimeSliced } from '../../store/time-sliced.ts';
import type { WorldImage } from '../../store/world.ts';
import { isEqualValue } from '../../text/changed-values.ts';

/** The tables whose rows belong to a customer. */
const OF_CUSTOMERS = [
  'customers',
  'subscriptions',
  'wallet_accounts',
  'grants',
  'transactions',
  'events',
  'fee_payments',
  'top_ups',
] as const;

/** Counts the customers with any difference, and all customers of both sides. */
export function* countDiffering(
  from: WorldImage,
  to: WorldImage,
): TimeSliced<{ differ: number; all: number }> {
  const differing = new Set<string>();
  for (const table of OF_CUSTOMERS) {
    const others = new Map((from.tables[table] ?? []).map((row) => [row.id, row]));
    for (const row of to.tables[table] ?? []) {
      const other = others.get(row.id);
      others.delete(row.id);
      if (!other || !isEqualValue(row, other)) differing.add(customerOf(row));
      yield;
    }
    for (const row of others.values()) differing.add(customerOf(row));
  }
  const customers = [from, to].flatMap(({ tables }) => tables.customers ?? []);
  return { differ: differing.size, all: new Set(customers.map(({ id }) => id)).size };
}

const customerOf = (row: { readonly id: string; readonly customer_id?: string }): string =>
  row.customer_id ?? row.id;
