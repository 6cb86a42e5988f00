import { earliest, type Instant } from '../domain/instant.ts';
import { conflict } from '../resources/problems.ts';
import type { ClockMode } from '../store/clock.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/destination-queue.ts';
import { type Advance, AdvanceLog, advanceTo, heldFork, refuseFarTarget } from './advance.ts';
import { nextDue } from './due.ts';
import { type ClocksOptions, RunningClocks } from './running-clocks.ts';

/** The target of an advance: an instant, or the moment when no webhook attempt is outstanding. */
export type AdvanceGoal = Instant | 'delivered';

/**
 * The clocks of all worlds: sets and advances them, and runs due work. On a running clock, a timer and each request
 * run it.
 *
 * @assumes A-1301
 */
export class WorldClocks {
  readonly #moving = new WeakSet<World>();
  /** Runs the due work of running clocks. */
  readonly running: RunningClocks;

  constructor(private readonly options: ClocksOptions) {
    this.running = new RunningClocks(options);
  }

  /** Whether a world is being advanced; then it must not be advanced again or replaced. */
  isMoving(world: World): boolean {
    return this.#moving.has(world) || this.running.isBehind(world);
  }

  /** @throws Rejection of 409 while a world is being advanced */
  refuseWhileMoving(world: World): void {
    if (this.isMoving(world)) throwAdvanceInProgress();
  }

  /** When the next work is due, webhook attempts included; undefined if nothing waits. */
  nextDue(world: World): Instant | undefined {
    return earliest([nextDue(world)?.at, this.options.deliveries.nextDue(world)]);
  }

  /** The waiting webhook attempts, in order. */
  scheduledAttempts(world: World): readonly ScheduledAttempt[] {
    return this.options.deliveries.scheduled(world);
  }

  /** Sets a clock. This runs no due work; a background run of the world is cancelled. */
  set(world: World, mode: ClockMode, now: Instant): void {
    if (this.#moving.has(world)) throwAdvanceInProgress();
    world.clock.state = world.clock.stateAt(mode, now);
    this.running.moved(world);
  }

  /**
   * Advances a world and runs all due work, deliveries included.
   *
   * @throws RuleViolation on `field` when more is due than one advance may do; the world stays at the last item then
   */
  async advance(world: World, goal: AdvanceGoal, field: string): Promise<Advance> {
    this.refuseWhileMoving(world);
    const { clock } = world;
    const [from, mode] = [world.now, clock.state.mode];
    const log = new AdvanceLog(from, mode);
    clock.held = from;
    this.#moving.add(world);
    let hasBegun = false;
    try {
      if (goal !== 'delivered')
        await refuseFarTarget({ world, settings: this.options.settings, field }, goal);
      hasBegun = true;
      await this.#go(world, goal, log, field);
      if (world.isClosed) conflict('This world was closed in the meantime.');
      return log.close(clock.held);
    } finally {
      if (hasBegun) {
        clock.advanced = { from, to: world.now };
        clock.state = clock.stateAt(log.mode, world.now);
      }
      clock.held = undefined;
      this.#moving.delete(world);
      this.running.moved(world);
    }
  }

  /** The result that an advance would have, tried on a copy without deliveries. */
  async previewAdvance(world: World, target: Instant, field: string): Promise<Advance> {
    this.refuseWhileMoving(world);
    const { settings } = this.options;
    await refuseFarTarget({ world, settings, field }, target);
    const log = new AdvanceLog(world.now, world.clock.state.mode);
    const fork = await heldFork(world);
    await advanceTo({ world: fork, settings, log, field }, target);
    return log.close(target);
  }

  async #go(world: World, goal: AdvanceGoal, log: AdvanceLog, field: string): Promise<void> {
    const { settings, deliveries } = this.options;
    const run = { world, settings, log, deliveries, field };
    if (goal !== 'delivered') {
      await advanceTo(run, goal);
      return;
    }
    await deliveries.idle(world);
    for (;;) {
      const next = deliveries.nextDue(world);
      if (next === undefined) return;
      await advanceTo(run, next > world.now ? next : world.now);
    }
  }
}

function throwAdvanceInProgress(): never {
  conflict('An advance of the clock is in progress. Try again when it has ended.');
}
