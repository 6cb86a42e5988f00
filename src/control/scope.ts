import { Refusal } from '../resources/problems.ts';
import type { Groups } from '../state/indexes/row-index.ts';
import type { Row, Table } from '../state/table.ts';
import { nearest } from '../text/nearest.ts';
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
  return owner === world.accountId ? table.all('owner') : table.list('owner', owner);
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

/** The row with an id that a call sees. @throws Refusal that names the nearest where there is none */
export function visibleRow<R extends Row & { readonly owner: string }>(
  context: ControlContext,
  table: Table<R, 'owner'>,
  id: string,
): R {
  const row = table.get(id);
  if (row && isVisible(context, row)) return row;
  return nothingNamed(id, context, idsOf(rowsInScope(context, table)));
}

const MOST_NAMES = 10_000;

/** Refuses an id or a name that nothing has, and names the nearest of those that there are. @assumes A-1404 */
export function nothingNamed(
  name: string,
  context: Pick<ControlContext, 'world'>,
  known: Iterable<string>,
): never {
  throw new Refusal(404, 'Not found.', missing(name, context, known));
}

/** Says that nothing has a name, and which comes nearest. */
export function missing(
  name: string,
  { world }: Pick<ControlContext, 'world'>,
  known: Iterable<string>,
): string {
  const place = `world ${world.environment}/${world.sandbox}`;
  const near = nearest(name, [...first(known)]);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  return `Nothing is named ${name} in ${place}${hint}.`;
}

function* first(names: Iterable<string>): Iterable<string> {
  let left = MOST_NAMES;
  for (const name of names) {
    if (left === 0) return;
    left -= 1;
    yield name;
  }
}

export function* idsOf(rows: Iterable<{ readonly id: string }>): Iterable<string> {
  for (const { id } of rows) yield id;
}
