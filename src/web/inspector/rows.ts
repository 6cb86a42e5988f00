import { isVisible, rowsInScope } from '../../control/scope.ts';
import type { Tables } from '../../state/schema.ts';
import type { Row, Table } from '../../state/table.ts';
import type { InspectorRequest } from './inspector-request.ts';
import { namedValue, type Search } from './search/search.ts';

/** All rows of a world that belong to its platform or to a connected account, oldest first. */
export function rowsOf<R extends Row>(
  request: InspectorRequest,
  table: Table<R, 'owner'>,
): readonly R[] {
  return rowsInScope(request.control, table);
}

/** The rows of the customer whose id a search names. */
export const ofCustomer =
  <R extends Row>(tableOf: (tables: Tables) => Pick<Table<R, 'customer'>, 'list'>) =>
  (search: Search, { world, control }: InspectorRequest): readonly R[] | undefined => {
    const customer = world.tables.customers.get(namedValue(search, 'customer') ?? '');
    if (!customer || !isVisible(control, customer)) return undefined;
    return tableOf(world.tables).list('customer', customer.id);
  };
