import { notFound } from '../../resources/problems.ts';
import type { EventRow, FeeRecord } from '../../state/records.ts';
import { uuidKey } from '../../state/schema.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { rowsInScope } from '../scope.ts';
import { describeEvent } from './event.ts';
import { describeFee } from './fee.ts';
import { tellEvent, tellFee } from './text.ts';

/**
 * Explains fees and usage events by what was true when they were priced: from records that never change and
 * from what was noted at that time.
 */
export const explainFee: ControlHandler<'explainFee'> = ({ path }, context) => {
  const { event, fee } = findFee(context, path.feeId) ?? notFound();
  const body = describeFee(context, event, fee);
  return { status: 200, body, ...(context.prefersText && { text: tellFee(body) }) };
};

export const explainEvent: ControlHandler<'explainEvent'> = ({ path }, context) => {
  const event = findEvent(context, path.eventId) ?? notFound();
  const body = describeEvent(context, event);
  return { status: 200, body, ...(context.prefersText && { text: tellEvent(body) }) };
};

/** Looks through the events, newest first: fees have no index, as nothing else asks for one by its id. */
function findFee(
  context: ControlContext,
  id: string,
): { readonly event: EventRow; readonly fee: FeeRecord } | undefined {
  if (!id.startsWith('fee_')) return undefined;
  const events = rowsInScope(context, context.world.tables.events);
  for (let place = events.length - 1; place >= 0; place -= 1) {
    const event = events[place] as EventRow;
    const fee = event.fees.find((each) => each.id === id);
    if (fee) return { event, fee };
  }
  return undefined;
}

/** The caller's own event with an id, else that of a connected account. @assumes A-1404 */
function findEvent({ world, owner }: ControlContext, id: string): EventRow | undefined {
  const { events, accounts } = world.tables;
  const own = events.get(uuidKey(owner, id));
  if (own || owner !== world.accountId) return own;
  for (const account of accounts.values()) {
    const event = events.get(uuidKey(account.id, id));
    if (event) return event;
  }
  return undefined;
}
