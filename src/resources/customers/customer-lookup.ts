import { type Finding, finding } from '../../domain/rules.ts';
import type { CustomerRow } from '../../store/records.ts';
import { ALL, key } from '../../store/schema.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import type { Context } from '../context.ts';
import { owned } from '../owned-records.ts';

/** The two ids by which a request can refer to a customer. */
export interface CustomerReference {
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
  return tables.customers.first('external', key(owner, externalId));
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

/** Whether a customer has a text in its name, whatever the case. */
export function isNamed(text: string): (customer: CustomerRow) => boolean {
  const part = text.toLowerCase();
  return ({ name }) => name.toLowerCase().includes(part);
}

/** The customers with a text in their name, of one account or of all, by an index that is built for this text. */
export function askForNamed(
  { customers }: Context['tables'],
  text: string,
  owner?: string,
): TimeSliced<readonly CustomerRow[]> {
  const fits = isNamed(text);
  const isHere = (row: CustomerRow) => owner === undefined || row.owner === owner;
  const index = { key: (row: CustomerRow) => (isHere(row) && fits(row) ? ALL : undefined) };
  return customers.onDemand(
    {
      name: `named ${text.toLowerCase()} of ${owner ?? 'all'}`,
      index: () => index,
      ...(owner !== undefined && { rows: () => customers.list('owner', owner) }),
    },
    (kept) => kept.list(ALL),
  );
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
