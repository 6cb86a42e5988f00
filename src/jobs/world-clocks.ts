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
  /** By the machine's time, when the work of a world shall be looked at. */
  readonly #planned = new Map<World, number>();
  /** Until when the attempts of a world have been called for; those that wait for their turn need no call. */
  readonly #called = new WeakMap<World, Instant>();
  /** Worlds in which something changed since their work was last planned. */
  readonly #changed = new Set<World>();
  #isAwake = false;
  #isStopped = false;

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
    world.onCommit(() => this.#note(world));
    world.onRestore(() => {
      this.#called.delete(world);
      this.#note(world);
    });
    this.#note(world);
  }

  /** Forgets a world that was closed. */
  forget(world: World): void {
    this.#planned.delete(world);
    this.#changed.delete(world);
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
    this.#called.delete(world);
    this.#note(world);
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
      this.#note(world);
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
    this.#planned.clear();
    this.#isStopped = true;
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

  /** Plans the work of a world soon: once for many commits, and when what made them has ended too. */
  #note(world: World): void {
    if (!this.#isRunning(world)) return;
    this.#changed.add(world);
    if (this.#changed.size > 1) return;
    setImmediate(() => {
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const each of changed) this.#plan(each);
    });
  }

  /** Sets the alarm for what a world has to do next, where its clock runs. */
  #plan(world: World): void {
    if (this.#isStopped || !this.#isRunning(world)) return;
    const due = nextDue(world)?.at;
    const attempt = this.#nextCall(world);
    const next = attempt === undefined || (due !== undefined && due < attempt) ? due : attempt;
    if (next === undefined) {
      this.#planned.delete(world);
      return;
    }
    const wait = toMillis(next) - toMillis(world.now);
    this.#planned.set(world, this.options.machine() + wait);
    this.#alarm.setWithin(wait);
  }

  /** When webhook attempts have to be called for next. */
  #nextCall(world: World): Instant | undefined {
    const { deliveries } = this.options;
    const next = deliveries?.nextDue(world);
    const called = this.#called.get(world);
    if (next === undefined || called === undefined || next > called) return next;
    return deliveries?.scheduled(world).find(({ at }) => at > called)?.at;
  }

  async #catchUpAll(): Promise<void> {
    if (this.#isAwake || this.#isStopped) return;
    this.#isAwake = true;
    const now = this.options.machine();
    const ready = [...this.#planned].filter(([, at]) => at <= now).map(([world]) => world);
    const broken = new Set<World>();
    for (const world of ready) {
      this.#planned.delete(world);
      try {
        await this.#catchUp(world);
      } catch (error) {
        broken.add(world);
        this.options.log.error(`Defect in the due work of ${world.sandbox}`, error);
      }
    }
    this.#isAwake = false;
    for (const world of ready) if (!broken.has(world)) this.#note(world);
    for (const at of this.#planned.values()) this.#alarm.setWithin(at - this.options.machine());
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
    if (!deliveries || !this.#isRunning(world)) return;
    const { now } = world;
    this.#called.set(world, now);
    deliveries.dispatchDue(world, now);
  }
}
