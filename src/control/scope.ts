import type { Groups } from '../state/row-index.ts';
import type { Row, Table } from '../state/table.ts';
import type { ControlContext } from './context.ts';

/**
 * The rows that a call sees, oldest first: those of the connected account it acts for or, without one, of
 * the whole world.
 *
 * @assumes A-1404
 */
export function rowsInScope<R extends Row>(
  context: ControlContext,
  table: Table<R, 'owner'>,
): readonly R[] {
  const lists = ownersInScope(context)
    .map((owner) => table.list('owner', owner))
    .filter((list) => list.length > 0);
  if (lists.length < 2) return lists[0] ?? [];
  return lists.flat().sort((left, right) => left.seq - right.seq);
}

/** The same of an index that divides the rows of each account. */
export function groupsInScope<R extends Row, N extends string>(
  context: ControlContext,
  table: Table<R, N>,
  index: N,
): Groups<R> {
  const groups = ownersInScope(context).map((owner) => table.groups(index, owner));
  return { ...(groups[0] as Groups<R>), all: groups.flatMap(({ all }) => all) };
}

/** The account that a call acts for or, of the platform's, that and all connected ones. */
export function ownersInScope({ world, owner }: ControlContext): readonly string[] {
  if (owner !== world.accountId) return [owner];
  return [owner, ...[...world.tables.accounts.values()].map(({ id }) => id)];
}

/** Whether a call sees what belongs to an account. @assumes A-1404 */
export function isVisible(
  { world, owner }: ControlContext,
  row: { readonly owner: string },
): boolean {
  return owner === world.accountId || row.owner === owner;
}
