import { type Instant, toMillis } from '../domain/instant.ts';
import { conflict } from '../resources/problems.ts';
import type { ClockMode, MachineTime } from '../state/clock.ts';
import type { Logger } from '../state/log.ts';
import type { Settings } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { Alarm } from './alarm.ts';
import type { DeliveryWork, ScheduledAttempt } from './delivery-work.ts';
import { nextDue, perform, settleDue } from './due.ts';
import { assertReachable } from './reach.ts';
import { Slices } from './slices.ts';
import { type Advance, Track } from './track.ts';
import { travel } from './travel.ts';

export interface WorldClocksOptions {
  readonly settings: Settings;
  readonly machine: MachineTime;
  readonly log: Logger;
  /** The worlds that are open. */
  readonly worlds: { values(): Iterable<World> };
  /** Absent where nothing is delivered. */
  readonly deliveries?: DeliveryWork;
}

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
  readonly #alarm: Alarm;
  #isAwake = false;

  constructor(private readonly options: WorldClocksOptions) {
    this.#alarm = new Alarm(options.machine, () => void this.#catchUpAll());
  }

  /** Whether an advance is under way, so that a world must be neither moved nor replaced. */
  isMoving(world: World): boolean {
    return this.#moving.has(world);
  }

  /** Refuses what would pull a world from under an advance. */
  refuseWhileMoving(world: World): void {
    if (this.isMoving(world)) conflict();
  }

  /** Does what is due by now, before a request is answered. A clock that stands still makes nothing due. */
  settle(world: World): void {
    if (this.#isRunning(world)) settleDue(world, world.now, this.options.settings);
  }

  /** Begins to do the work of a world that opened, as its clock runs. */
  watch(world: World): void {
    world.onCommit(() => this.plan(world));
    this.plan(world);
  }

  /** Takes note that what falls due in a world may have changed otherwise than by a commit. */
  plan(world: World): void {
    const next = this.#isRunning(world) ? this.nextDue(world) : undefined;
    if (next !== undefined) this.#alarm.setWithin(toMillis(next) - toMillis(world.now));
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

  /** Sets a clock. Nothing falls due by it. */
  set(world: World, mode: ClockMode, now: Instant): void {
    this.refuseWhileMoving(world);
    world.clock.state = world.clock.stateAt(mode, now);
    this.plan(world);
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
    try {
      if (goal !== 'delivered') await assertReachable(world, goal, this.options.settings, field);
      await this.#go(world, goal, track);
    } finally {
      const reached = world.now;
      clock.held = undefined;
      clock.state = clock.stateAt(track.mode, reached);
      this.#moving.delete(world);
      this.plan(world);
    }
    return track.close(world.now);
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

  /** Stops the timer, for good. */
  stop(): void {
    this.#alarm.stop();
    this.#isAwake = true;
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

  #isRunning(world: World): boolean {
    return world.clock.state.mode !== 'frozen' && world.clock.held === undefined;
  }

  async #catchUpAll(): Promise<void> {
    if (this.#isAwake) return;
    this.#isAwake = true;
    const caughtUp: World[] = [];
    for (const world of [...this.options.worlds.values()]) {
      try {
        await this.#catchUp(world);
        caughtUp.push(world);
      } catch (error) {
        this.options.log.error(`Defect in the due work of ${world.sandbox}`, error);
      }
    }
    this.#isAwake = false;
    for (const world of caughtUp) this.plan(world);
  }

  async #catchUp(world: World): Promise<void> {
    const { settings, deliveries } = this.options;
    const slices = new Slices();
    while (this.#isRunning(world)) {
      const due = nextDue(world);
      if (!due || due.at > world.now) break;
      perform(world, due, settings);
      if (slices.isOver) await slices.pause();
    }
    const attempt = deliveries?.nextDue(world);
    if (this.#isRunning(world) && attempt !== undefined && attempt <= world.now)
      deliveries?.dispatchDue(world, world.now);
  }
}
