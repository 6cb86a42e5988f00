import type { CustomerRow, SubscriptionRow } from '../../../state/records.ts';
import type { Resumable } from '../../../state/resumable.ts';
import { ALL, type Tables } from '../../../state/schema.ts';
import type { OrderedRows } from '../../../state/sorted-rows.ts';
import type { Row, Table } from '../../../state/table.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { namedValue, type Search } from '../search/search.ts';
import { MOST_SEARCHED } from '../search/searched-rows.ts';

/** The rows of the customer whose id a search names. */
export const ofCustomer =
  <R extends Row>(tableOf: (tables: Tables) => Pick<Table<R, 'customer'>, 'list'>) =>
  (search: Search, { world: { tables } }: InspectorRequest): readonly R[] | undefined => {
    const id = namedValue(search, 'customer') ?? '';
    return tables.customers.get(id) && tableOf(tables).list('customer', id);
  };

/** The subscriptions in a state, once their index was prepared. */
export const inStatus = (
  { subscriptions }: Tables,
  status: SubscriptionRow['status'],
): OrderedRows<SubscriptionRow> | undefined =>
  subscriptions.groups('status', ALL).all.find((rows) => rows.at(0)?.status === status);

/** What a search may call the state of a subscription. */
const STATUSES: ReadonlyMap<string | undefined, SubscriptionRow['status']> = new Map([
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['scheduled', 'scheduled'],
  ['action_required', 'action_required'],
  ['unpaid', 'action_required'],
]);

/**
 * The customers among which an index finds all that a search names by a state or as below zero; undefined where it names
 * neither, or where they are more than a search looks at.
 */
export function* narrowCustomers(
  search: Search,
  { world: { tables } }: InspectorRequest,
): Resumable<readonly CustomerRow[] | undefined> {
  const holders = yield* holdersOf(search, tables);
  if (!holders || holders.length > MOST_SEARCHED) return undefined;
  const ids = new Set([...holders].map(({ customer_id }) => customer_id));
  return [...ids]
    .flatMap((id) => tables.customers.get(id) ?? [])
    .sort((left, right) => left.seq - right.seq);
}

type Held = Iterable<{ readonly customer_id: string }> & { readonly length: number };

/** What the customers have that makes a search find them. */
function* holdersOf(search: Search, tables: Tables): Resumable<Held | undefined> {
  const { subscriptions, wallet_accounts } = tables;
  const status = STATUSES.get(namedValue(search, 'status'));
  if (status) return yield* subscriptions.prepared('status', () => inStatus(tables, status) ?? []);
  const asksBelowZero = search.terms.some(
    ({ field, pattern, isExcluded }) => field === 'balance' && pattern === '<0' && !isExcluded,
  );
  if (!asksBelowZero) return undefined;
  return yield* wallet_accounts.prepared('below_zero', () =>
    wallet_accounts.sorted('below_zero', ALL),
  );
}
