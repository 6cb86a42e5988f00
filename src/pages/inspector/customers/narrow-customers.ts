import type { OrderedRows } from '../../../store/indexes/sorted-rows.ts';
import type { CustomerRow, SubscriptionRow } from '../../../store/records.ts';
import type { Row } from '../../../store/row.ts';
import { ALL, type Tables } from '../../../store/schema.ts';
import type { Table } from '../../../store/table.ts';
import type { TimeSliced } from '../../../store/time-sliced.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { MAX_SEARCHED } from '../search/listing-search.ts';
import { namedValue, type Search } from '../search/search.ts';

/** Narrows a list to the rows of the customer whose id is in the search; undefined if there is none. */
export const ofCustomer =
  <R extends Row>(tableOf: (tables: Tables) => Pick<Table<R, 'customer'>, 'list'>) =>
  (search: Search, { world: { tables } }: InspectorRequest): readonly R[] | undefined => {
    const id = namedValue(search, 'customer') ?? '';
    return tables.customers.get(id) && tableOf(tables).list('customer', id);
  };

/** Returns the subscriptions in a status. Prepare the index `status` before. */
export const inStatus = (
  { subscriptions }: Tables,
  status: SubscriptionRow['status'],
): OrderedRows<SubscriptionRow> | undefined =>
  subscriptions.groups('status', ALL).all.find((rows) => rows.at(0)?.status === status);

/** Subscription statuses, by their names in a search. */
const STATUSES: ReadonlyMap<string | undefined, SubscriptionRow['status']> = new Map([
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['scheduled', 'scheduled'],
  ['action_required', 'action_required'],
  ['unpaid', 'action_required'],
]);

/**
 * Narrows the customers by an index, if the search asks for a status or for a balance below zero. Undefined if it asks
 * for neither, or if there are more rows than a search reads.
 */
export function* narrowCustomers(
  search: Search,
  { world: { tables } }: InspectorRequest,
): TimeSliced<readonly CustomerRow[] | undefined> {
  const holders = yield* holdersOf(search, tables);
  if (!holders || holders.length > MAX_SEARCHED) return undefined;
  const ids = new Set([...holders].map(({ customer_id }) => customer_id));
  return [...ids]
    .flatMap((id) => tables.customers.get(id) ?? [])
    .sort((left, right) => left.seq - right.seq);
}

type Held = Iterable<{ readonly customer_id: string }> & { readonly length: number };

/** Returns the rows of customers that match the search: subscriptions or wallet accounts. */
function* holdersOf(search: Search, tables: Tables): TimeSliced<Held | undefined> {
  const { subscriptions, wallet_accounts } = tables;
  const status = STATUSES.get(namedValue(search, 'status'));
  if (status) return yield* subscriptions.lazy('status', () => inStatus(tables, status) ?? []);
  const asksBelowZero = search.terms.some(
    ({ field, pattern, isExcluded }) => field === 'balance' && pattern === '<0' && !isExcluded,
  );
  if (!asksBelowZero) return undefined;
  return yield* wallet_accounts.lazy('below_zero', () => wallet_accounts.sorted('below_zero', ALL));
}
