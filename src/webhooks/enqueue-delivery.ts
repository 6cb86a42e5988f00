import { after, type Instant } from '../domain/instant.ts';
import type { FaultRule } from '../faults/rule.ts';
import type { DeliveryRow, WebhookEventRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { World } from '../store/world.ts';
import { matchFault } from './match-fault.ts';

/**
 * Enqueues the delivery of an event to one destination, in the commit of the event. It waits for its turn,
 * unless a fault rule makes it wait for the clock or for the next event.
 *
 * @assumes A-1204
 */
export function enqueueDelivery(world: World, event: WebhookEventRow, destinationId: string): void {
  const { tables } = world;
  const { owner, created_at, event_id, topic } = event;
  const [predecessor] = tables.deliveries.list('waiting', key('successor', destinationId));
  const subject = { topic, destination_id: destinationId };
  // Only one event is held back at a time.
  const rule =
    matchFault(world, 'delay', subject) ??
    (predecessor ? undefined : matchFault(world, 'swap', subject));
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

/** Puts a delivery that was held back at the end of the queue. */
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
