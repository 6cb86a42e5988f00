import type { EventRow, FeeRecord } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import type { ControlContext } from '../context.ts';
import { isVisible, ownersInScope } from '../scope.ts';

export interface BilledFee {
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

/** The fee with an id that a call sees: by its transaction or, as a fee of 0 has none, among the events with such fees. */
export function* findFee(context: ControlContext, id: string): TimeSliced<BilledFee | undefined> {
  if (!id.startsWith('fee_')) return undefined;
  const { transactions, events } = context.world.tables;
  const posted = yield* transactions.lazy('fee', () => transactions.first('fee', id));
  if (posted && !isVisible(context, posted)) return undefined;
  if (posted) return feeOf(id, events.get(uuidKey(posted.owner, posted.event_id ?? '')));
  const owners = ownersInScope(context);
  const free = yield* events.lazy('free', () =>
    owners.flatMap((owner) => events.list('free', owner)),
  );
  for (const event of free) {
    // The world may have been replaced meanwhile.
    const found = feeOf(id, event) && feeOf(id, events.get(event.id));
    if (found) return found;
    yield;
  }
  return undefined;
}

function feeOf(id: string, event: EventRow | undefined): BilledFee | undefined {
  const fee = event?.fees.find((each) => each.id === id);
  return event && fee && { event, fee };
}
