import { RuleViolation } from '../domain/rules.ts';
import { Rejection } from '../resources/problems.ts';
import { rowsOf, select } from '../store/query.ts';
import type { CustomerRow, EventRow, FeeRecord } from '../store/records.ts';
import type { Row } from '../store/row.ts';
import { uuidKey } from '../store/schema.ts';
import { snapshotsOf } from '../store/snapshots.ts';
import type { Table } from '../store/table.ts';
import type { WorldImage } from '../store/world.ts';
import { nearest } from '../text/wording.ts';
import type { ControlContext } from './context.ts';

/**
 * The rows that a call sees, oldest first: those of the connected account it acts for or, without one, of
 * the whole world.
 *
 * @assumes A-1404
 */
export function rowsInScope<R extends Row & { readonly owner: string }>(
  context: ControlContext,
  table: Table<R>,
): readonly R[] {
  return rowsOf(table, whoseRows(context) as Partial<R>);
}

/** The owner that a query of such rows states; none if it asks for all. @assumes A-1404 */
export const whoseRows = ({ world, owner }: ControlContext): { owner?: string } =>
  owner === world.accountId ? {} : { owner };

/** The account for which a call acts; for the platform's also all connected accounts. */
export function ownersInScope({ world, owner }: ControlContext): readonly string[] {
  if (owner !== world.accountId) return [owner];
  return [owner, ...[...world.tables.accounts.values()].map(({ id }) => id)];
}

/** Whether a call sees a row. @assumes A-1404 */
export function isVisible(
  { world, owner }: ControlContext,
  row: { readonly owner: string },
): boolean {
  return owner === world.accountId || row.owner === owner;
}

/**
 * The customer that a call names by its id or external id. An external id that several accounts use is looked up in
 * the account of the call first.
 *
 * @assumes A-1404
 */
export function customerNamed(context: ControlContext, name: string): CustomerRow | undefined {
  const { customers } = context.world.tables;
  const row = customers.get(name);
  if (row) return isVisible(context, row) ? row : undefined;
  const [found] = ownersInScope(context).flatMap(
    (owner) => rowsOf(customers, { owner, external_id: name })[0] ?? [],
  );
  return found;
}

/** The image of a snapshot. @throws RuleViolation that names the nearest where there is none of that name */
export function snapshotNamed(
  name: string,
  field: string,
  { world }: Pick<ControlContext, 'world'>,
): WorldImage {
  const snapshots = snapshotsOf(world);
  const snapshot = snapshots.get(name);
  if (snapshot) return snapshot.image;
  throw new RuleViolation([{ field, message: missing(name, { world }, snapshots.keys()) }]);
}

/** Responds 404 for an unknown id or name, and suggests the nearest known one. @assumes A-1404 */
export function nothingNamed(
  name: string,
  context: Pick<ControlContext, 'world'>,
  known: Iterable<string> = [],
): never {
  throw new Rejection(404, 'Not found.', missing(name, context, known));
}

/** The message for an unknown id or name, with the nearest known one. */
export function missing(
  name: string,
  { world }: Pick<ControlContext, 'world'>,
  known: Iterable<string> = [],
): string {
  const place = `world ${world.environment}/${world.sandbox}`;
  const near = nearest(name, [...known]);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  return `Nothing is named ${name} in ${place}${hint}.`;
}

interface BilledFee {
  readonly event: EventRow;
  readonly fee: FeeRecord;
}

/** The caller's own event with an id, else that of a connected account. @assumes A-1404 */
export function findEvent(context: ControlContext, id: string): EventRow | undefined {
  const { events } = context.world.tables;
  for (const owner of ownersInScope(context)) {
    const event = events.get(uuidKey(owner, id));
    if (event) return event;
  }
  return undefined;
}

/** The fee with an id that a call sees: by its transaction or, as a fee of 0 has none, among all events. */
export async function findFee(context: ControlContext, id: string): Promise<BilledFee | undefined> {
  if (!id.startsWith('fee_')) return undefined;
  const { transactions, events } = context.world.tables;
  const posted = await select(transactions, { where: { fee_id: id } }, ([first]) => first);
  if (posted && !isVisible(context, posted)) return undefined;
  if (posted) return feeOf(id, events.get(uuidKey(posted.owner, posted.event_id ?? '')));
  const hasFee = ({ fees }: EventRow) => fees.some((fee) => fee.id === id);
  const where = whoseRows(context);
  return feeOf(id, await select(events, { where, fits: [hasFee] }, ([first]) => first));
}

function feeOf(id: string, event: EventRow | undefined): BilledFee | undefined {
  const fee = event?.fees.find((each) => each.id === id);
  return event && fee && { event, fee };
}
