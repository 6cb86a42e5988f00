import type { EventRow, FeeRecord } from '../../state/records.ts';
import type { Resumable } from '../../state/resumable.ts';
import { uuidKey } from '../../state/schema.ts';
import type { World } from '../../state/world.ts';
import type { WorldLocal } from '../../state/world-local.ts';
import type { ControlContext } from '../context.ts';
import { ownersInScope } from '../scope.ts';

/** A fee with the event that it is of. */
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

/** The fee with an id that a call sees. */
export function* findFee(context: ControlContext, id: string): Resumable<BilledFee | undefined> {
  if (!id.startsWith('fee_')) return undefined;
  for (const owner of ownersInScope(context)) {
    const found = (yield* knownFees(context.world, owner)).get(id);
    if (found) return found;
  }
  return undefined;
}

/** The fees of an account's first events, so many as there were when one was last looked for. */
interface KnownFees {
  readonly byId: Map<string, BilledFee>;
  events: number;
}

/** Kept from the first time that a fee is looked for, as most worlds are never asked for one by its id. */
const KNOWN_FEES: WorldLocal<Map<string, KnownFees>> = {
  name: 'known fees',
  open: () => new Map(),
  clear: (kept) => kept.clear(),
};

/** Goes on where it was left, as events are listed in the order in which they came and stay. */
function* knownFees(world: World, owner: string): Resumable<KnownFees['byId']> {
  const kept = world.local(KNOWN_FEES);
  const known = kept.get(owner) ?? { byId: new Map(), events: 0 };
  kept.set(owner, known);
  for (;;) {
    // Looked up anew after each pause, as another contents may have come in its place.
    const event = world.tables.events.list('owner', owner)[known.events];
    if (!event || kept.get(owner) !== known) return known.byId;
    for (const fee of event.fees) known.byId.set(fee.id, { event, fee });
    known.events += 1;
    yield;
  }
}
