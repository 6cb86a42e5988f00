import type { Settings } from '../config/settings.ts';
import { fromMillis, type Instant, toMillis } from '../domain/instant.ts';
import { RuleViolation } from '../domain/rules.ts';
import type { ClockMode } from '../store/clock.ts';
import { runTimeSliced, Slices } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/destination-queue.ts';
import { type DoneJob, jobsOf, mostDue, nextDue, runDueJob, setJobs } from './due.ts';
import type { DeliveryWork } from './running-clocks.ts';
import { leastDue } from './subscription-spans.ts';

/** The result of an advance. */
export interface Advance {
  readonly from: Instant;
  readonly now: Instant;
  readonly mode_before: ClockMode;
  readonly mode: ClockMode;
  /** The first due items that ran, in order. */
  readonly steps: readonly (DoneJob | ScheduledAttempt)[];
  /** The number of due items that ran. */
  readonly count: number;
}

const HOUR_MS = 3_600_000;

/** The maximum number of due items in the response to an advance. */
const MAX_STEPS = 1_000;

/** Records what an advance does; only the first steps are kept. */
export class AdvanceLog {
  readonly #steps: (DoneJob | ScheduledAttempt)[] = [];
  #count = 0;
  /** The mode afterwards: an advanced clock no longer shows the real time. */
  readonly mode: ClockMode;

  constructor(
    private readonly from: Instant,
    private readonly before: ClockMode,
  ) {
    this.mode = before === 'real' ? 'offset' : before;
  }

  readonly note = (step: DoneJob | ScheduledAttempt): true => {
    this.#count += 1;
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step);
    return true;
  };

  close(now: Instant): Advance {
    const { from, before, mode } = this;
    return { from, now, mode_before: before, mode, steps: this.#steps, count: this.#count };
  }
}

interface AdvanceRun {
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

/** Returns a copy of a world on which an advance can be tried, with its clock held. */
export async function heldFork(world: World): Promise<World> {
  const { now } = world;
  const fork = await runTimeSliced(world.forking());
  fork.clock.held = now;
  setJobs(fork, jobsOf(world));
  return fork;
}

/**
 * Checks, before anything changes, that one advance can reach an instant, by bounds that only read rows. If they do not
 * decide, the advance is tried on a copy.
 *
 * @throws  RuleViolation on `field` naming an instant that can be reached: after a trial, the last one
 * @assumes A-1301
 */
export async function assertWithinDueLimit(
  world: World,
  target: Instant,
  settings: Settings,
  field: string,
): Promise<void> {
  const { MAX_DUE_ITEMS: limit } = settings.limits;
  if ((await runTimeSliced(mostDue(world, target, settings))) <= limit) return;
  // With automatic top-ups the upper bound is too high to name an instant that is worth going to.
  const isBounded = world.tables.auto_top_ups.size === 0;
  const isHopeless = isBounded && (await runTimeSliced(leastDue(world, target, settings))) > limit;
  const bounded = isHopeless ? await lastBounded(world, target, settings) : undefined;
  const reachable = bounded ?? (await lastTried(world, target, settings));
  if (reachable === undefined) return;
  const message =
    `More than ${limit} due items are on the way. Advance to ${reachable} at most, ` +
    'then continue from there.';
  throw new RuleViolation([{ field, message }]);
}

/** The last instant in whole hours from now until which the upper bound is within the limit; undefined if it is now. */
async function lastBounded(
  world: World,
  target: Instant,
  settings: Settings,
): Promise<Instant | undefined> {
  const now = toMillis(world.now);
  const afterHours = (hours: number) => fromMillis(now + hours * HOUR_MS);
  let [within, beyond] = [0, Math.ceil((toMillis(target) - now) / HOUR_MS)];
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    const bound = await runTimeSliced(mostDue(world, afterHours(middle), settings));
    if (bound <= settings.limits.MAX_DUE_ITEMS) within = middle;
    else beyond = middle;
  }
  return within > 0 ? afterHours(within) : undefined;
}

/** The last instant that an advance reaches, tried on a copy; undefined if it reaches its target. */
async function lastTried(
  world: World,
  target: Instant,
  settings: Settings,
): Promise<Instant | undefined> {
  const { now } = world;
  const fork = await heldFork(world);
  let count = 0;
  let last: Instant = now;
  const note = (step: { readonly at: DoneJob['at'] }): boolean => {
    count += 1;
    last = step.at;
    return count <= settings.limits.MAX_DUE_ITEMS;
  };
  if (await advanceTo({ world: fork, settings, note }, target)) return undefined;
  const before = fromMillis(toMillis(last) - 1);
  return before > now ? before : now;
}
