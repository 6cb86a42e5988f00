import { type Finding, finding } from '../../domain/rules.ts';
import type { CustomerRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { owned } from '../owned-records.ts';

/** The two ways in which a request names a customer. */
export interface CustomerReference {
  readonly customer_id?: string | null;
  readonly customer_external_id?: string | null;
}

/** The owner's customer with an id. */
export const findCustomer = (context: Context, id: string): CustomerRow | undefined =>
  owned(context, context.tables.customers.get(id));

/** The owner's customer with an external id. */
export function findCustomerByExternalId(
  { tables, owner }: Context,
  externalId: string,
): CustomerRow | undefined {
  return tables.customers.first('external', key(owner, externalId));
}

/** The customer that a body names by exactly one of its ids, or what is wrong with that. @assumes A-801 */
export function namedCustomer(
  context: Context,
  { customer_id, customer_external_id }: CustomerReference,
): CustomerRow | Finding {
  const byId = typeof customer_id === 'string';
  const byExternalId = typeof customer_external_id === 'string';
  if (byId === byExternalId) return finding('customer.ambiguous', 'customer_id');
  const customer = byId
    ? findCustomer(context, customer_id)
    : findCustomerByExternalId(context, customer_external_id as string);
  return customer ?? finding('customer.unknown', byId ? 'customer_id' : 'customer_external_id');
}

/** Whether a list is asked for one customer only. */
export function isCustomerFiltered(query: CustomerReference): boolean {
  return query.customer_id !== undefined || query.customer_external_id !== undefined;
}

/** The customer that fits all filters of a list that asks for one. */
export function filteredCustomer(
  context: Context,
  { customer_id, customer_external_id }: CustomerReference,
): CustomerRow | undefined {
  const customer =
    typeof customer_id === 'string'
      ? findCustomer(context, customer_id)
      : findCustomerByExternalId(context, customer_external_id ?? '');
  const fits =
    typeof customer_external_id !== 'string' || customer?.external_id === customer_external_id;
  return fits ? customer : undefined;
}

/** So many of the newest customers whose ids something does not have. */
export function newestWithout(
  customers: readonly CustomerRow[],
  ids: { has(id: string): boolean },
  count: number,
): CustomerRow[] {
  const found: CustomerRow[] = [];
  for (let place = customers.length - 1; place >= 0 && found.length < count; place -= 1) {
    const customer = customers[place] as CustomerRow;
    if (!ids.has(customer.id)) found.push(customer);
  }
  return found;
}
