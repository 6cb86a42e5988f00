import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import { Slices } from '../state/resumable.ts';
import type { World } from '../state/world.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';
import { type DoneJob, nextDue, runDueJob } from './due.ts';
import type { DeliveryWork } from './running-clocks.ts';

/** A way through time, doing what falls due. */
export interface AdvanceRun {
  readonly world: World;
  readonly settings: Settings;
  /** Absent where nothing is delivered. */
  readonly deliveries?: DeliveryWork;
  /** Told of every due item when it is done, in order; whether to go on. */
  readonly note: (step: DoneJob | ScheduledAttempt) => boolean;
}

/**
 * Takes a world to an instant: every due item at its own instant, webhook deliveries awaited before time
 * goes on. Meanwhile the world's clock stands at the instant reached and requests are answered there.
 *
 * @returns whether it arrived, rather than being stopped on the way
 * @assumes A-1301, A-1302
 */
export async function advanceTo(run: AdvanceRun, target: Instant): Promise<boolean> {
  const { world, settings, deliveries, note } = run;
  const slices = new Slices();
  // What an attempt under way comes to, such as its next retry, may lie on the way.
  await deliveries?.idle(world);
  for (;;) {
    const due = nextDue(world);
    const attemptAt = deliveries?.nextDue(world);
    const isAttempt = attemptAt !== undefined && !(due && due.at <= attemptAt);
    const at = isAttempt ? attemptAt : due?.at;
    if (at === undefined || at > target) break;
    holdAt(world, at);
    if (isAttempt) {
      if (!(await dispatch(run, deliveries as DeliveryWork))) return false;
    } else if (due && !note(runDueJob(world, due, settings))) return false;
    // An attempt that is due now would start by itself in a pause, and be missing among what happened.
    if (slices.isOver && !isAttemptDue(run)) await slices.pause();
  }
  holdAt(world, target);
  await deliveries?.idle(world);
  return true;
}

function isAttemptDue({ world, deliveries }: AdvanceRun): boolean {
  const at = deliveries?.nextDue(world);
  return at !== undefined && at <= world.now;
}

/** Makes the attempts that are due at the instant reached, and waits for what they come to. */
async function dispatch({ world, note }: AdvanceRun, deliveries: DeliveryWork): Promise<boolean> {
  const { now } = world;
  const attempts = deliveries.scheduled(world).filter(({ at }) => at <= now);
  deliveries.dispatchDue(world, now);
  await deliveries.idle(world);
  return attempts.every(note);
}

/** Work that is overdue is done at its own instant, yet the clock never goes back for it. */
function holdAt({ clock }: World, at: Instant): void {
  if (clock.held === undefined || clock.held < at) clock.held = at;
}
