import { rowsInScope } from '../../control/scope.ts';
import type { Row, Table } from '../../state/table.ts';
import type { InspectorRequest } from './inspector-request.ts';

/** All rows of a world that belong to its platform or to a connected account, oldest first. */
export function rowsOf<R extends Row>(
  request: InspectorRequest,
  table: Table<R, 'owner' | 'all'>,
): readonly R[] {
  return rowsInScope(request.control, table);
}
