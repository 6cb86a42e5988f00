import { setMaxListeners } from 'node:events';
import type { Instant } from '../domain/instant.ts';
import type { DeliveryRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { World } from '../store/world.ts';
import { DestinationQueue } from './destination-queue.ts';

/** The attempts of one world that are in progress or ready to start. */
export class WorldDeliveries {
  readonly #queues = new Map<string, DestinationQueue>();
  /** Number of attempts in progress. */
  underWay = 0;
  /** Number of attempts in progress that use a share of the limit. */
  shares = 0;
  /** Number of queues with an attempt to start. */
  inLine = 0;
  /** Queues that had their turn while the world used all its shares. They are still in line. */
  readonly parked: DestinationQueue[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #abort = new AbortController();

  constructor(private readonly world: World) {
    // Any number of requests can listen to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborted when attempts in progress must end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the queue of one destination. Creates it on first use. */
  queueOf(destinationId: string): DestinationQueue {
    let queue = this.#queues.get(destinationId);
    if (!queue) {
      queue = new DestinationQueue(this.world, destinationId);
      this.#queues.set(destinationId, queue);
    }
    return queue;
  }

  /** The queues of all destinations that are not paused. */
  activeQueues(): DestinationQueue[] {
    const active: DestinationQueue[] = [];
    for (const { id, paused } of this.world.tables.webhooks.values())
      if (!paused) active.push(this.queueOf(id));
    return active;
  }

  /** Whether a queue is the current one of its destination, not a dropped one. */
  has(queue: DestinationQueue): boolean {
    return this.#queues.get(queue.destinationId) === queue;
  }

  /** Drops the queue of a deleted destination, once it has no attempt in progress. */
  dropIfDeleted(queue: DestinationQueue): void {
    const isDeleted = !this.world.tables.webhooks.get(queue.destinationId);
    if (isDeleted && queue.isResting) this.#queues.delete(queue.destinationId);
  }

  /** Resolves once no attempt is in progress or ready to start. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      // The requests do not keep the process alive, so the timer does.
      const hold = setInterval(() => {}, 2 ** 30);
      this.#waiters.add(() => {
        clearInterval(hold);
        resolve();
      });
    });
  }

  /** Notifies waiters once all attempts are done. */
  noteProgress(): void {
    if (this.#waiters.size > 0 && this.#isIdle) this.#releaseWaiters();
  }

  close(): void {
    this.#abort.abort();
    this.#releaseWaiters();
  }

  get #isIdle(): boolean {
    return this.underWay === 0 && this.inLine === 0;
  }

  #releaseWaiters(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const done of waiters) done();
  }
}

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
