import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import { Slices } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';
import { type DoneJob, nextDue, runDueJob } from './due.ts';
import type { DeliveryWork } from './running-clocks.ts';

export interface AdvanceRun {
  readonly world: World;
  readonly settings: Settings;
  /** Absent if nothing is delivered. */
  readonly deliveries?: DeliveryWork;
  /** Called after each due item, in order; returns whether to continue. */
  readonly note: (step: DoneJob | ScheduledAttempt) => boolean;
}

/**
 * Advances a world to an instant. Each due item runs at its own instant, and the advance waits for webhook
 * deliveries before it moves on. Meanwhile the clock is held at the instant reached, and requests see that time.
 *
 * @returns whether the world reached the target; false if `note` stopped the advance
 * @assumes A-1301, A-1302
 */
export async function advanceTo(run: AdvanceRun, target: Instant): Promise<boolean> {
  const { world, settings, deliveries, note } = run;
  const slices = new Slices();
  // The result of an attempt in progress, such as a retry, can be due before the target.
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
    // During a pause, an attempt that is due now would start without being recorded.
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

/** Starts the attempts that are due at the instant reached, and waits for their results. */
async function dispatch({ world, note }: AdvanceRun, deliveries: DeliveryWork): Promise<boolean> {
  const { now } = world;
  const attempts = deliveries.scheduled(world).filter(({ at }) => at <= now);
  deliveries.dispatchDue(world, now);
  await deliveries.idle(world);
  return attempts.every(note);
}

/** Overdue work runs at its own instant, but the clock never moves back. */
function holdAt({ clock }: World, at: Instant): void {
  if (clock.held === undefined || clock.held < at) clock.held = at;
}
