import type { Instant } from '../domain/instant.ts';
import type { DeliveryRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { World } from '../store/world.ts';
import { DestinationQueue } from './destination-queue.ts';

/** An attempt that waits for its due time. */
export interface ScheduledAttempt {
  readonly at: Instant;
  readonly webhook_event_id: string;
  readonly destination_id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Waits for earlier events, or for a time of the clock. */
const WAITS = ['turn', 'clock'] as const;

/** The waiting attempts of queues, in due order. */
export function scheduledAttempts(queues: readonly DestinationQueue[]): ScheduledAttempt[] {
  return queues
    .flatMap((queue) => WAITS.flatMap((wait) => [...waitingDeliveries(queue, wait)]))
    .sort(byDueInstant)
    .map((row) => ({
      at: dueInstantOf(row),
      webhook_event_id: row.event_id,
      destination_id: row.destination_id,
      attempt: row.tries + 1,
    }));
}

/** The due time of the earliest waiting attempt, or undefined. */
export function earliestAttempt(queues: readonly DestinationQueue[]): Instant | undefined {
  let earliest: Instant | undefined;
  for (const queue of queues)
    for (const wait of WAITS) {
      const [row] = waitingDeliveries(queue, wait);
      if (row && (earliest === undefined || dueInstantOf(row) < earliest))
        earliest = dueInstantOf(row);
    }
  return earliest;
}

/**
 * When the earliest attempt of a world is due by its clock, attempts in progress included; `now` for a first attempt, which
 * waits for no clock; undefined if none waits.
 */
export function earliestDelivery(world: World): Instant | 'now' | undefined {
  const queues = [...world.tables.webhooks.values()]
    .filter(({ paused }) => !paused)
    .map(({ id }) => new DestinationQueue(world, id));
  if (queues.some((queue) => !waitingDeliveries(queue, 'turn').next().done)) return 'now';
  return earliestAttempt(queues);
}

/** The waiting deliveries of a queue that are not started, in order. */
export function* waitingDeliveries(
  { world, destinationId, started }: DestinationQueue,
  wait: (typeof WAITS)[number],
): Generator<DeliveryRow> {
  for (const row of world.tables.deliveries.list('waiting', key(wait, destinationId)))
    if (!started.has(row.id)) yield row;
}

export const dueInstantOf = (row: DeliveryRow): Instant => row.next_attempt_at ?? row.created_at;

function byDueInstant(left: DeliveryRow, right: DeliveryRow): number {
  const [a, b] = [dueInstantOf(left), dueInstantOf(right)];
  if (a !== b) return a < b ? -1 : 1;
  return left.seq - right.seq;
}
