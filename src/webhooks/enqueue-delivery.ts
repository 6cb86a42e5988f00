import { after, type Instant } from '../domain/instant.ts';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { DeliveryRow, WebhookEventRow } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { meetFault } from './meet-fault.ts';

/**
 * Files what is to be sent to one destination, in the commit of the event itself. It waits for its turn,
 * unless a fault rule makes it wait for the clock or for the event after it.
 *
 * @assumes A-1204
 */
export function enqueueDelivery(world: World, event: WebhookEventRow, destinationId: string): void {
  const { tables } = world;
  const { owner, created_at, event_id, topic } = event;
  const [predecessor] = tables.deliveries.list('successor', destinationId);
  const subject = { topic, destination_id: destinationId };
  // Only one event is held back at a time.
  const rule =
    meetFault(world, 'delay', subject) ??
    (predecessor ? undefined : meetFault(world, 'swap', subject));
  tables.deliveries.put({
    id: world.nextId('delivery', owner),
    seq: world.nextSeq(),
    owner,
    created_at,
    webhook_event: event.id,
    event_id,
    topic,
    destination_id: destinationId,
    status: 'pending',
    ...waitOf(rule, created_at),
    tries: 0,
    faults: rule?.delivery ? [rule.delivery] : [],
    exchanges: [],
  });
  if (predecessor) release(world, predecessor);
}

/** Lets a delivery that was held back go on, behind everything that is filed by now. */
export function release(world: World, delivery: DeliveryRow): void {
  world.tables.deliveries.put({ ...delivery, seq: world.nextSeq(), waits_for: 'turn' });
}

function waitOf(
  rule: FaultRule | undefined,
  now: Instant,
): Pick<DeliveryRow, 'waits_for' | 'next_attempt_at'> {
  if (rule?.delivery === 'delay')
    return {
      waits_for: 'clock',
      next_attempt_at: after(now, `PT${rule.seconds ?? PRESET_DELAY}S`),
    };
  return { waits_for: rule ? 'successor' : 'turn', next_attempt_at: now };
}

/** @units seconds */
const PRESET_DELAY = 60;
