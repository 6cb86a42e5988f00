import { earliest, type Instant } from '../domain/instant.ts';
import { compareBy } from '../store/query.ts';
import type { DeliveryRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { World } from '../store/world.ts';

/** One attempt to make: a first attempt, one that is due, or one that a user requested. */
export interface DeliveryTask {
  readonly deliveryId: string;
  readonly reason: 'turn' | 'due' | 'flush' | 'replay';
}

export const isPaused = ({ tables }: World, destinationId: string): boolean =>
  tables.webhooks.get(destinationId)?.paused ?? false;

/** Maximum parallel requests to one destination, without first attempts. */
const MAX_FOLLOWERS = 4;

/**
 * The deliveries to one destination of a world. First attempts run one after the other, in the order of their
 * events. Retries and replays run beside them, so that neither blocks the other.
 */
export class DestinationQueue {
  /** Retries and replays that are due. */
  readonly followers: DeliveryTask[] = [];
  /** Ids of deliveries that are queued or in progress, so that none starts twice. */
  readonly started = new Set<string>();
  isFirstInProgress = false;
  followersInProgress = 0;
  /** Whether it is in the line of queues with an attempt to start. */
  isInLine = false;

  constructor(
    readonly world: World,
    readonly destinationId: string,
  ) {}

  get isResting(): boolean {
    return !this.isFirstInProgress && this.followersInProgress === 0 && !this.isInLine;
  }

  get isPaused(): boolean {
    return isPaused(this.world, this.destinationId);
  }

  get canStart(): boolean {
    if (this.isPaused) return false;
    const hasTurn = !this.isFirstInProgress && this.nextTurn() !== undefined;
    return hasTurn || (this.followers.length > 0 && this.followersInProgress < MAX_FOLLOWERS);
  }

  /** Takes the next task for the caller to run. Returns undefined if nothing can start. */
  take(): DeliveryTask | undefined {
    if (this.isPaused) return undefined;
    const turn = this.isFirstInProgress ? undefined : this.nextTurn();
    if (turn) {
      this.isFirstInProgress = true;
      this.started.add(turn.id);
      return { deliveryId: turn.id, reason: 'turn' };
    }
    if (this.followersInProgress >= MAX_FOLLOWERS) return undefined;
    const follower = this.followers.shift();
    if (follower) this.followersInProgress += 1;
    return follower;
  }

  /** Queues a retry or a replay. Returns false if the delivery is already queued or in progress. */
  follow(job: DeliveryTask): boolean {
    if (this.started.has(job.deliveryId)) return false;
    this.started.add(job.deliveryId);
    this.followers.push(job);
    return true;
  }

  end({ deliveryId, reason }: DeliveryTask): void {
    this.started.delete(deliveryId);
    if (reason === 'turn') this.isFirstInProgress = false;
    else this.followersInProgress -= 1;
  }

  private nextTurn(): DeliveryRow | undefined {
    const { value } = waitingDeliveries(this, 'turn').next();
    return value;
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
    .sort(compareBy(dueInstantOf))
    .map((row) => ({
      at: dueInstantOf(row),
      webhook_event_id: row.event_id,
      destination_id: row.destination_id,
      attempt: row.tries + 1,
    }));
}

/** The due time of the earliest waiting attempt, or undefined. */
export function earliestAttempt(
  queues: readonly DestinationQueue[],
  waits: readonly (typeof WAITS)[number][] = WAITS,
): Instant | undefined {
  const firsts = queues.flatMap((queue) =>
    waits.flatMap((wait) => waitingDeliveries(queue, wait).next().value ?? []),
  );
  return earliest(firsts.map(dueInstantOf));
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
  for (const row of world.tables.deliveries.sorted('waiting', key(wait, destinationId)))
    if (!started.has(row.id)) yield row;
}

export const dueInstantOf = (row: DeliveryRow): Instant => row.next_attempt_at ?? row.created_at;
