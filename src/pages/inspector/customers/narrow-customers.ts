import { decimal, isNegative } from '../../../domain/decimal.ts';
import { type Query, rowsOf, select } from '../../../store/query/query.ts';
import type { CustomerRow, SubscriptionRow, WalletAccountRow } from '../../../store/records.ts';
import type { Row } from '../../../store/row.ts';
import type { Tables } from '../../../store/schema.ts';
import type { Table } from '../../../store/table.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { MAX_SEARCHED } from '../search/listing-search.ts';
import { namedValue, type Search } from '../search/search.ts';

/** Narrows a list to the rows of the customer whose id is in the search; undefined if there is none. */
export const ofCustomer =
  <R extends Row & { readonly customer_id: string }>(tableOf: (tables: Tables) => Table<R>) =>
  (search: Search, { world: { tables } }: InspectorRequest): readonly R[] | undefined => {
    const id = namedValue(search, 'customer') ?? '';
    return tables.customers.get(id) && rowsOf(tableOf(tables), { customer_id: id } as Partial<R>);
  };

/** Subscription statuses, by their names in a search. */
const STATUSES: ReadonlyMap<string | undefined, SubscriptionRow['status']> = new Map([
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['scheduled', 'scheduled'],
  ['action_required', 'action_required'],
  ['unpaid', 'action_required'],
]);

/**
 * Narrows the customers, if the search asks for a status or for a balance below zero. Undefined if it asks for neither,
 * or if there are more rows than a search reads.
 */
export async function narrowCustomers(
  search: Search,
  { world: { tables } }: InspectorRequest,
): Promise<readonly CustomerRow[] | undefined> {
  const status = STATUSES.get(namedValue(search, 'status'));
  const asksBelowZero = search.terms.some(
    ({ field, pattern, isExcluded }) => field === 'balance' && pattern === '<0' && !isExcluded,
  );
  if (status) return select(tables.subscriptions, { where: { status } }, holders(tables));
  if (asksBelowZero) return select(tables.wallet_accounts, BELOW_ZERO, holders(tables));
  return undefined;
}

/** The wallet accounts with a balance below zero. */
export const BELOW_ZERO: Query<WalletAccountRow> = {
  fits: [({ available }) => isNegative(decimal(available))],
  named: 'below zero',
};

/** The customers of some records, the oldest first; undefined if there are more than a search reads. */
const holders =
  ({ customers }: Tables) =>
  (rows: readonly { readonly customer_id: string }[]): readonly CustomerRow[] | undefined => {
    if (rows.length > MAX_SEARCHED) return undefined;
    const ids = new Set(rows.map(({ customer_id }) => customer_id));
    return [...ids]
      .flatMap((id) => customers.get(id) ?? [])
      .sort((left, right) => left.seq - right.seq);
  };
