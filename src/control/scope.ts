import type { Row, Table } from '../state/table.ts';
import type { ControlContext } from './context.ts';

/**
 * The rows that a call sees, oldest first: those of the connected account it acts for or, without one, of
 * the whole world.
 *
 * @assumes A-1404
 */
export function rowsInScope<R extends Row>(
  { world, owner }: ControlContext,
  table: Table<R, 'owner'>,
): readonly R[] {
  if (owner !== world.accountId) return table.list('owner', owner);
  const lists = [owner, ...[...world.tables.accounts.values()].map(({ id }) => id)]
    .map((each) => table.list('owner', each))
    .filter((list) => list.length > 0);
  if (lists.length < 2) return lists[0] ?? [];
  return lists.flat().sort((left, right) => left.seq - right.seq);
}

/** Whether a call sees what belongs to an account. @assumes A-1404 */
export function isVisible(
  { world, owner }: ControlContext,
  row: { readonly owner: string },
): boolean {
  return owner === world.accountId || row.owner === owner;
}
