import type { Instant } from '../domain/instant.ts';
import { conflict } from '../resources/problems.ts';
import type { ClockMode } from '../state/clock.ts';
import type { World } from '../state/world.ts';
import type { ScheduledAttempt } from './delivery-work.ts';
import { nextDue } from './due.ts';
import { assertReachable } from './reach.ts';
import { type ClocksOptions, RunningClocks } from './running-clocks.ts';
import { type Advance, Track } from './track.ts';
import { travel } from './travel.ts';

/** Where an advance shall go: to an instant, or on until no webhook attempt is outstanding. */
export type Goal = Instant | 'delivered';

/**
 * The clocks of all worlds: what moves them, and what does the work that falls due. On a clock that runs,
 * a timer does it, and each request finds it done.
 *
 * @assumes A-1301
 */
export class WorldClocks {
  readonly #moving = new WeakSet<World>();
  /** What does the work of the clocks that run. */
  readonly running: RunningClocks;

  constructor(private readonly options: ClocksOptions) {
    this.running = new RunningClocks(options);
  }

  /** Whether a world is on its way to an instant, so that it must be neither advanced nor replaced. */
  isMoving(world: World): boolean {
    return this.#moving.has(world) || this.running.isBehind(world);
  }

  /** Refuses what would pull a world from under an advance. */
  refuseWhileMoving(world: World): void {
    if (this.isMoving(world)) conflict();
  }

  /** When something falls due next, webhook attempts included. */
  nextDue(world: World): Instant | undefined {
    const due = nextDue(world)?.at;
    const attempt = this.options.deliveries?.nextDue(world);
    if (due === undefined || attempt === undefined) return due ?? attempt;
    return due < attempt ? due : attempt;
  }

  /** The webhook attempts that wait, in order. */
  scheduledAttempts(world: World): readonly ScheduledAttempt[] {
    return this.options.deliveries?.scheduled(world) ?? [];
  }

  /** Sets a clock. Nothing falls due by it; what it was catching up with is left for later. */
  set(world: World, mode: ClockMode, now: Instant): void {
    if (this.#moving.has(world)) conflict();
    world.clock.state = world.clock.stateAt(mode, now);
    this.running.moved(world);
  }

  /**
   * Takes a world forward, doing all that falls due, deliveries included.
   *
   * @throws RuleViolation on `field` when more falls due than one advance may do; nothing has moved then
   */
  async advance(world: World, goal: Goal, field: string): Promise<Advance> {
    this.refuseWhileMoving(world);
    const { clock } = world;
    const [from, mode] = [world.now, clock.state.mode];
    const track = new Track(from, mode);
    clock.held = from;
    this.#moving.add(world);
    let hasBegun = false;
    try {
      if (goal !== 'delivered') await assertReachable(world, goal, this.options.settings, field);
      hasBegun = true;
      await this.#go(world, goal, track);
      return track.close(clock.held);
    } finally {
      if (hasBegun) clock.state = clock.stateAt(track.mode, world.now);
      clock.held = undefined;
      this.#moving.delete(world);
      this.running.moved(world);
    }
  }

  /** What an advance would do, found out on a copy: deliveries are left out. */
  async rehearse(world: World, target: Instant, field: string): Promise<Advance> {
    const { settings } = this.options;
    const track = new Track(world.now, world.clock.state.mode);
    const fork = world.fork();
    fork.clock.held = world.now;
    await assertReachable(fork, target, settings, field);
    await travel({ world: fork, settings, note: track.note }, target);
    return track.close(target);
  }

  async #go(world: World, goal: Goal, { note }: Track): Promise<void> {
    const { settings, deliveries } = this.options;
    const journey = { world, settings, note, ...(deliveries && { deliveries }) };
    if (goal !== 'delivered') {
      await travel(journey, goal);
      return;
    }
    await deliveries?.idle(world);
    for (;;) {
      const next = deliveries?.nextDue(world);
      if (next === undefined) return;
      await travel(journey, next > world.now ? next : world.now);
    }
  }
}
