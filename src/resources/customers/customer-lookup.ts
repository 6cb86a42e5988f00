import { type Finding, finding } from '../../domain/rules.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, SubscriptionRow } from '../../store/records.ts';
import { type Context, owned } from '../context.ts';

/** The two ids by which a request can refer to a customer. */
interface CustomerReference {
  readonly customer_id?: string | null;
  readonly customer_external_id?: string | null;
}

/** Finds a customer of the caller's account by id. */
export const findCustomer = (context: Context, id: string): CustomerRow | undefined =>
  owned(context, context.tables.customers.get(id));

/** Finds a customer of the caller's account by external id. */
export function findCustomerByExternalId(
  { tables, owner }: Context,
  externalId: string,
): CustomerRow | undefined {
  return rowsOf(tables.customers, { owner, external_id: externalId })[0];
}

/** Returns the customer of a body that has exactly one of the two ids, or the finding. @assumes A-801 */
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

export const isCustomerFiltered = (query: CustomerReference): boolean =>
  query.customer_id !== undefined || query.customer_external_id !== undefined;

/** The customer that matches all customer filters of a query; undefined if there is none. */
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

/** The subscriptions of a customer that are active. */
export const activeSubscriptions = (
  { subscriptions }: Context['tables'],
  customerId: string,
): readonly SubscriptionRow[] =>
  rowsOf(subscriptions, { customer_id: customerId }).filter(({ status }) => status === 'active');

/** Whether a record has a text in its name, whatever the case. */
export function isNamed(text: string): (record: { readonly name: string }) => boolean {
  const part = text.toLowerCase();
  return ({ name }) => name.toLowerCase().includes(part);
}

/** Returns up to `count` of the newest customers whose ids are not in a set. */
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

/** A customer in a sentence, by name and external id: `Acme (acme)`. Without an external id, by its id. */
export function customerTitle({ id, name, external_id }: CustomerRow): string {
  const known = external_id ?? id;
  return name === '' ? known : `${name} (${known})`;
}
