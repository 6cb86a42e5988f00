import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import { RuleViolation } from '../domain/rules.ts';
import { catchUp } from '../domain/subscriptions.ts';
import type { ClockMode } from '../store/clock.ts';
import { runTimeSliced, Slices } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/destination-queue.ts';
import { type DoneJob, nextDue, runDueJob } from './due.ts';
import type { DeliveryWork } from './running-clocks.ts';

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

  /** The number of due items that ran. */
  get count(): number {
    return this.#count;
  }

  note(step: DoneJob | ScheduledAttempt): void {
    this.#count += 1;
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step);
  }

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
  readonly log: AdvanceLog;
  /** The field of the request that states the target. */
  readonly field: string;
}

/**
 * Advances a world to an instant. Each due item runs at its own instant, and the advance waits for webhook
 * deliveries before it moves on. Meanwhile the clock is held at the instant reached, and requests see that time.
 *
 * @throws RuleViolation on `field` when more is due than one advance may do; the world stays at the last item then
 * @assumes A-1301, A-1302
 */
export async function advanceTo(run: AdvanceRun, target: Instant): Promise<void> {
  const { world, settings, deliveries, log } = run;
  const slices = new Slices();
  // The result of an attempt in progress, such as a retry, can be due before the target.
  await deliveries?.idle(world);
  for (;;) {
    const due = nextDue(world);
    const attemptAt = deliveries?.nextDue(world);
    const isAttempt = attemptAt !== undefined && !(due && due.at <= attemptAt);
    const at = isAttempt ? attemptAt : due?.at;
    if (at === undefined || at > target) break;
    refuseTooMany(run);
    holdAt(world, at);
    if (isAttempt) await dispatch(run, deliveries as DeliveryWork);
    else if (due) log.note(runDueJob(world, due, settings));
    // During a pause, an attempt that is due now would start without being recorded.
    if (slices.isOver && !isAttemptDue(run)) await slices.pause();
  }
  holdAt(world, target);
  await deliveries?.idle(world);
}

/**
 * Refuses a target before which more renewals are scheduled than one advance may do; nothing has moved then. Whatever
 * else becomes due is counted as it runs.
 *
 * @throws RuleViolation on `field`
 */
export async function refuseFarTarget(
  { world, settings, field }: Pick<AdvanceRun, 'world' | 'settings' | 'field'>,
  target: Instant,
): Promise<void> {
  const { MAX_DUE_ITEMS: limit } = settings.limits;
  const slices = new Slices();
  let renewals = 0;
  for (const { status, renewal } of world.tables.subscriptions.values()) {
    if (status === 'active' && renewal) renewals += catchUp(renewal, target).count - renewal.count;
    if (slices.isOver) await slices.pause();
  }
  if (renewals <= limit) return;
  const message =
    `${renewals} renewals are scheduled until then, and one advance does at most ${limit} due items. ` +
    'Advance in shorter steps.';
  throw new RuleViolation([{ field, message }]);
}

function refuseTooMany({ world, settings, log, field }: AdvanceRun): void {
  const { MAX_DUE_ITEMS: limit } = settings.limits;
  if (log.count < limit) return;
  const message =
    `More than ${limit} due items are on the way; the advance ends after these, at ${world.now}. ` +
    'Continue from there.';
  throw new RuleViolation([{ field, message }]);
}

function isAttemptDue({ world, deliveries }: AdvanceRun): boolean {
  const at = deliveries?.nextDue(world);
  return at !== undefined && at <= world.now;
}

/** Starts the attempts that are due at the instant reached, and waits for their results. */
async function dispatch({ world, log }: AdvanceRun, deliveries: DeliveryWork): Promise<void> {
  const { now } = world;
  const attempts = deliveries.scheduled(world).filter(({ at }) => at <= now);
  deliveries.dispatchDue(world, now);
  await deliveries.idle(world);
  for (const attempt of attempts) log.note(attempt);
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
  return fork;
}
