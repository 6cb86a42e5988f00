import type { DeliveryRow } from '../state/records.ts';
import type { World } from '../state/world.ts';

/** One attempt to be made: in its turn, as its instant has come, or as somebody asked for it. */
export interface DeliveryTask {
  readonly deliveryId: string;
  readonly reason: 'turn' | 'due' | 'flush' | 'replay';
}

/** Id of the pause that holds every destination. */
export const EVERY_DESTINATION = '*';

export function isPaused({ tables }: World, destinationId: string): boolean {
  const { delivery_pauses } = tables;
  return (
    delivery_pauses.size > 0 &&
    (delivery_pauses.get(destinationId) ?? delivery_pauses.get(EVERY_DESTINATION)) !== undefined
  );
}

/** How many requests other than first attempts go to one destination at a time. */
const MOST_FOLLOWERS = 4;

/**
 * What goes to one destination of a world. First attempts go one after the other, in the order of their
 * events; retries and replays go beside them, so that neither holds up the other.
 */
export class DestinationQueue {
  /** Retries and replays whose time has come. */
  readonly followers: DeliveryTask[] = [];
  /** Deliveries that are queued here or under way, so that none is started twice. */
  readonly started = new Set<string>();
  isFirstUnderWay = false;
  followersUnderWay = 0;
  /** Whether it stands in the line of queues that have something to start. */
  isInLine = false;

  constructor(
    readonly world: World,
    readonly destinationId: string,
  ) {}

  get isResting(): boolean {
    return !this.isFirstUnderWay && this.followersUnderWay === 0 && !this.isInLine;
  }

  get isPaused(): boolean {
    return isPaused(this.world, this.destinationId);
  }

  get canStart(): boolean {
    if (this.isPaused) return false;
    const hasTurn = !this.isFirstUnderWay && this.nextTurn() !== undefined;
    return hasTurn || (this.followers.length > 0 && this.followersUnderWay < MOST_FOLLOWERS);
  }

  /** Takes the next job, which the caller is to run; undefined where nothing can start. */
  take(): DeliveryTask | undefined {
    if (this.isPaused) return undefined;
    const turn = this.isFirstUnderWay ? undefined : this.nextTurn();
    if (turn) {
      this.isFirstUnderWay = true;
      this.started.add(turn.id);
      return { deliveryId: turn.id, reason: 'turn' };
    }
    if (this.followersUnderWay >= MOST_FOLLOWERS) return undefined;
    const follower = this.followers.shift();
    if (follower) this.followersUnderWay += 1;
    return follower;
  }

  /** Queues a retry or a replay, unless that delivery is on its way already. */
  follow(job: DeliveryTask): boolean {
    if (this.started.has(job.deliveryId)) return false;
    this.started.add(job.deliveryId);
    this.followers.push(job);
    return true;
  }

  end({ deliveryId, reason }: DeliveryTask): void {
    this.started.delete(deliveryId);
    if (reason === 'turn') this.isFirstUnderWay = false;
    else this.followersUnderWay -= 1;
  }

  private nextTurn(): DeliveryRow | undefined {
    return this.world.tables.deliveries
      .list('turn', this.destinationId)
      .find(({ id }) => !this.started.has(id));
  }
}
