import { select } from '../../store/query/query.ts';
import type { EventRow, FeeRecord } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { ControlContext } from '../context.ts';
import { isVisible, ownersInScope, whoseRows } from '../scope.ts';

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
