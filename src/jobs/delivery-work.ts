import type { Instant } from '../domain/instant.ts';
import type { World } from '../state/world.ts';

/** One try to tell a destination of a webhook event that still lies ahead. */
export interface ScheduledAttempt {
  readonly at: Instant;
  readonly webhook_event_id: string;
  readonly destination_id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/**
 * What the clock needs of the delivery of webhook events. The first attempts of an event fall due at the
 * instant of its event and are started by the deliverer itself, on any clock, once the commit is done;
 * until it has started one it reports it as due, so that an advance never passes it by. Retries fall due
 * on the clock, and it is the clock that calls for them.
 */
export interface DeliveryWork {
  /** The attempts that wait for their instant, in order; none of those under way. */
  scheduled(world: World): readonly ScheduledAttempt[];
  /** The instant of the earliest of them; undefined when none waits. It is asked often. */
  nextDue(world: World): Instant | undefined;
  /**
   * Starts every attempt due at or before an instant, which the clock shows at that moment. It never
   * waits and never throws; how an attempt ended is recorded by a commit of its own. Calling it again
   * for the same instant starts nothing twice.
   */
  dispatchDue(world: World, at: Instant): void;
  /** Resolves once no attempt of a world is under way, its outcome and its next retry recorded. */
  idle(world: World): Promise<void>;
}
