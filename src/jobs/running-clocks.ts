import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { earliest, type Instant, toMillis } from '../domain/instant.ts';
import type { MachineTime } from '../state/clock.ts';
import { Slices } from '../state/resumable.ts';
import type { World } from '../state/world.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import { Alarm } from './alarm.ts';
import { nextDue, runDueJob } from './due.ts';

/**
 * What the clock needs of the delivery of webhook events. First attempts are started by the dispatcher itself,
 * on any clock; until it has started one it reports it as due, so that an advance never passes it by. Retries
 * fall due on the clock, and it is the clock that calls for them.
 */
export type DeliveryWork = Pick<Dispatcher, 'scheduled' | 'nextDue' | 'dispatchDue' | 'idle'>;

export interface ClocksOptions {
  readonly settings: Settings;
  readonly machine: MachineTime;
  readonly log: Logger;
  /** Absent where nothing is delivered. */
  readonly deliveries?: DeliveryWork;
  /** Resolves once something may change; undefined where it may. Rejects where what changed before cannot be kept. */
  readonly room?: () => Promise<void> | undefined;
}

/** How long a request waits for the work of its world to be done before it. */
const PATIENCE_MS = 200;

/** How long a clock waits before it looks again whether something may change. */
const NO_ROOM_MS = 1_000;

/**
 * Does the work of the worlds whose clocks run, as time passes: before each request is answered, and by one
 * timer for all of them.
 *
 * @assumes A-1301
 */
export class RunningClocks {
  readonly #alarm: Alarm;
  /** Worlds that have more to catch up with than a request can wait for, and which run of it goes on. */
  readonly #behind = new Map<World, symbol>();
  /** By the machine's time, when the work of a world shall be looked at. */
  readonly #planned = new Map<World, number>();
  /** Until when the attempts of a world have been called for; those that wait for their turn need no call. */
  readonly #called = new WeakMap<World, Instant>();
  /** Worlds in which something changed since their work was last planned. */
  readonly #changed = new Set<World>();
  #isStopped = false;

  constructor(private readonly options: ClocksOptions) {
    this.#alarm = new Alarm(options.machine, () => this.#ring());
  }

  /** Whether a world has so much to catch up with that it is done in the background. */
  isBehind(world: World): boolean {
    return this.#behind.has(world);
  }

  /**
   * Does what is due by now, before a request is answered. A clock that stands still makes nothing due.
   * Where that takes long, or nothing may change now, the rest is done in the background, and the clock is held at the
   * instant reached.
   */
  runDueJobs(world: World): void {
    this.#work(world, PATIENCE_MS);
  }

  /** Begins to do the work of a world that opened, as its clock runs. */
  watch(world: World): void {
    world.onCommit(() => this.#note(world));
    world.onRestore(() => this.moved(world));
    this.#note(world);
  }

  /** Looks at a world anew whose clock was moved; what it was catching up with is looked at anew too. */
  moved(world: World): void {
    if (this.#behind.delete(world)) world.clock.held = undefined;
    this.#called.delete(world);
    this.#note(world);
  }

  /** Forgets a world that was closed. */
  forget(world: World): void {
    this.#planned.delete(world);
    this.#changed.delete(world);
    this.#behind.delete(world);
  }

  /** Stops the timer, for good. */
  stop(): void {
    this.#alarm.stop();
    this.#planned.clear();
    this.#isStopped = true;
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
    const next = earliest([nextDue(world)?.at, this.#nextCall(world)]);
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

  /** Does what the worlds have planned for now. */
  #ring(): void {
    const now = this.options.machine();
    for (const [world, at] of this.#planned) {
      if (at > now) continue;
      this.#planned.delete(world);
      try {
        if (this.#work(world, 0)) this.#callAttempts(world);
      } catch (error) {
        this.#report(world, error);
      }
    }
    for (const at of this.#planned.values()) this.#alarm.setWithin(at - this.options.machine());
  }

  /** Does what is due by now for some time; whether all of it is done. */
  #work(world: World, patienceMs: number): boolean {
    if (!this.#isRunning(world)) return false;
    const until = performance.now() + patienceMs;
    for (let due = nextDue(world); due && due.at <= world.now; due = nextDue(world)) {
      if (!this.#waitsForRoom()) {
        runDueJob(world, due, this.options.settings);
        if (performance.now() < until) continue;
      }
      void this.#catchUp(world).catch((error) => this.#report(world, error));
      return false;
    }
    return true;
  }

  /** Goes on in slices, with the clock held at the instant reached, until it is as late as it should be. */
  async #catchUp(world: World): Promise<void> {
    const { clock } = world;
    const run = Symbol('catching up');
    const slices = new Slices();
    this.#behind.set(world, run);
    try {
      for (;;) {
        clock.held = undefined;
        const due = nextDue(world);
        if (!due || due.at > world.now) break;
        clock.held = due.at;
        const wait = this.#waitsForRoom();
        if (wait) await wait;
        else runDueJob(world, due, this.options.settings);
        if (slices.isOver) await slices.pause();
        if (this.#behind.get(world) !== run || this.#isStopped) return;
      }
      this.#callAttempts(world);
    } finally {
      if (this.#behind.get(world) === run) {
        this.#behind.delete(world);
        clock.held = undefined;
      }
      this.#note(world);
    }
  }

  /** Resolves once it is worth another look whether something may change; undefined where it may. */
  #waitsForRoom(): Promise<void> | undefined {
    return this.options.room?.()?.catch(() => pause(NO_ROOM_MS, undefined, { ref: false }));
  }

  #callAttempts(world: World): void {
    const { now } = world;
    this.#called.set(world, now);
    this.options.deliveries?.dispatchDue(world, now);
    this.#note(world);
  }

  #report({ sandbox }: World, error: unknown): void {
    this.options.log.error(`Defect in the due work of the sandbox ${sandbox}`, error);
  }
}
