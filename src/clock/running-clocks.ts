import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../config/log.ts';
import type { MachineTime } from '../config/machine-time.ts';
import type { Settings } from '../config/settings.ts';
import { earliest, toMillis } from '../domain/instant.ts';
import { earliestDue } from '../store/schema.ts';
import type { Storage } from '../store/storage/storage.ts';
import { Slices } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import { Alarm } from './alarm.ts';
import { nextDue, runDueJob } from './due.ts';
import type { Due, DueKind } from './job.ts';
import { JOBS } from './jobs.ts';

/**
 * The part of webhook delivery that the clocks use. The dispatcher starts first attempts itself, on any clock; until
 * then it reports them as due, so that an advance does not skip them. Retries are due on the world's clock, and the
 * clock starts them.
 */
export type DeliveryWork = Pick<
  Dispatcher,
  'scheduled' | 'nextDue' | 'nextRetry' | 'dispatchDue' | 'idle'
>;

export interface ClocksOptions {
  readonly settings: Settings;
  readonly machine: MachineTime;
  readonly log: Logger;
  readonly deliveries: DeliveryWork;
  readonly storage: Pick<Storage, 'writeFailure'>;
}

/** The maximum time that a request waits for due work of its world. */
const PATIENCE_MS = 200;

/** The pause before checking again whether changes are possible. */
const RECHECK_MS = 1_000;

/**
 * Runs the due work of worlds whose clocks run: before each request, and by one timer for all worlds.
 *
 * @assumes A-1301
 */
export class RunningClocks {
  readonly #alarm: Alarm;
  /** Worlds with too much due work for a request to wait, each with the id of its background run. */
  readonly #behind = new Map<World, symbol>();
  /** When each world is checked next, by machine time. */
  readonly #planned = new Map<World, number>();
  /** Worlds with changes since their work was last planned. */
  readonly #changed = new Set<World>();
  #isStopped = false;

  constructor(private readonly options: ClocksOptions) {
    this.#alarm = new Alarm(options.machine, () => this.#ring());
  }

  /** Whether a world has so much due work that it runs in the background. */
  isBehind(world: World): boolean {
    return this.#behind.has(world);
  }

  /**
   * Runs the work that is due now, before a request is handled. A frozen clock makes nothing due. If it takes too
   * long, or changes are not possible now, the rest runs in the background, with the clock held at the instant
   * reached.
   */
  runDueJobs(world: World): void {
    this.#work(world, PATIENCE_MS);
  }

  /** Starts to watch a world that was opened. */
  watch(world: World): void {
    world.onCommit(() => this.#note(world));
    world.onRestore(() => this.moved(world));
    this.#note(world);
  }

  /** Plans the work of a world again after its clock was moved, and cancels its background run. */
  moved(world: World): void {
    if (this.#behind.delete(world)) world.clock.held = undefined;
    this.#note(world);
  }

  /** Stops watching a world that was closed. */
  forget(world: World): void {
    this.#planned.delete(world);
    this.#changed.delete(world);
    this.#behind.delete(world);
  }

  /** Stops the timer permanently. */
  stop(): void {
    this.#alarm.stop();
    this.#planned.clear();
    this.#isStopped = true;
  }

  #isRunning(world: World): boolean {
    const { state, held } = world.clock;
    return !world.isClosed && state.mode !== 'frozen' && held === undefined;
  }

  /** Plans the work of a world soon: once for many commits, after the current code has finished. */
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

  /** Sets the alarm for the next work of a world whose clock runs. */
  #plan(world: World): void {
    if (this.#isStopped || !this.#isRunning(world)) return;
    const next = earliest([earliestDue(world.tables), this.options.deliveries.nextRetry(world)]);
    if (next === undefined) {
      this.#planned.delete(world);
      return;
    }
    const wait = toMillis(next) - toMillis(world.now);
    this.#planned.set(world, this.options.machine() + wait);
    this.#alarm.setWithin(wait);
  }

  /** Runs the planned work that is due now. */
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

  /** Runs due work for a limited time; returns whether nothing is left. */
  #work(world: World, patienceMs: number): boolean {
    if (!this.#isRunning(world)) return false;
    const until = performance.now() + patienceMs;
    for (let due = dueNow(world); due; due = dueNow(world)) {
      if (!this.options.storage.writeFailure(world)) {
        runDueJob(world, due, this.options.settings);
        if (performance.now() < until) continue;
      }
      void this.#catchUp(world).catch((error) => this.#report(world, error));
      return false;
    }
    return true;
  }

  /** Runs the rest in slices, with the clock held at the instant reached, until the clock has caught up. */
  async #catchUp(world: World): Promise<void> {
    const { clock } = world;
    const run = Symbol('catching up');
    const slices = new Slices();
    this.#behind.set(world, run);
    try {
      for (;;) {
        clock.held = undefined;
        const due = dueNow(world);
        if (!due) break;
        clock.held = due.at;
        if (this.options.storage.writeFailure(world))
          await pause(RECHECK_MS, undefined, { ref: false });
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

  #callAttempts(world: World): void {
    this.options.deliveries.dispatchDue(world, world.now);
    this.#note(world);
  }

  #report({ sandbox }: World, error: unknown): void {
    this.options.log.error(`Defect in the due work of the sandbox ${sandbox}`, error);
  }
}

/** The item that is due now, if one is. Only then the jobs are asked: the first instants of all tables cost less. */
function dueNow(world: World): Due | undefined {
  const at = earliestDue(world.tables);
  const due = at !== undefined && at <= world.now ? nextDue(world) : undefined;
  return due && due.at <= world.now ? due : undefined;
}

const KIND: DueKind = 'auto_top_up';

/**
 * Runs the automatic top-ups that a commit made due, without waiting for time to pass. Work that is due before them
 * at the same instant, such as a refresh, must run first: the top-ups then wait.
 *
 * @assumes A-1106, A-1302
 */
export function autoTopUpOnCommit(world: World, settings: Settings): void {
  if (world.tables.auto_top_ups.size === 0 || world.clock.held !== undefined) return;
  const isFrozen = world.clock.state.mode === 'frozen';
  const looked = isFrozen ? JOBS.filter(({ kind }) => kind === KIND) : JOBS;
  for (;;) {
    const due = nextDue(world, looked);
    if (due?.kind !== KIND || due.at > world.now) return;
    runDueJob(world, due, settings);
  }
}
