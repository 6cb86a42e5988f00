import type { Instant } from '../domain/instant.ts';
import type { DeliveryRow } from '../state/records.ts';
import type { DestinationQueue } from './destination-queue.ts';

/** An attempt that waits for its instant. */
export interface ScheduledAttempt {
  readonly at: Instant;
  readonly webhook_event_id: string;
  readonly destination_id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** In their turn behind earlier events, or for an instant of the clock. */
const WAITS = ['turn', 'clock'] as const;

/** The attempts that wait in some queues, in the order in which they fall due. */
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

/** The instant of the earliest of them. */
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

/** The rows of a queue that wait and were not started, in their order. */
export function* waitingDeliveries(
  { world, destinationId, started }: DestinationQueue,
  wait: (typeof WAITS)[number],
): Generator<DeliveryRow> {
  for (const row of world.tables.deliveries.list(wait, destinationId))
    if (!started.has(row.id)) yield row;
}

export function dueInstantOf(row: DeliveryRow): Instant {
  return row.next_attempt_at ?? row.created_at;
}

function byDueInstant(left: DeliveryRow, right: DeliveryRow): number {
  const [a, b] = [dueInstantOf(left), dueInstantOf(right)];
  if (a !== b) return a < b ? -1 : 1;
  return left.seq - right.seq;
}
