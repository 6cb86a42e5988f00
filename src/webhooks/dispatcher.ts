import { setMaxListeners } from 'node:events';
import type { Instant } from '../domain/instant.ts';
import type { Logger } from '../state/log.ts';
import type { DeliveryRow } from '../state/records.ts';
import type { Settings } from '../state/settings.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { attempt } from './attempt.ts';
import { release } from './file-delivery.ts';
import { type Inboxes, inboxNameOf } from './inbox.ts';
import { isPaused, type Job, Lane } from './lane.ts';
import type { Poster, PostOutcome } from './post.ts';
import type { PreparedRequest } from './request.ts';

export interface DispatcherOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly poster: Poster;
  readonly inboxes: Inboxes;
  /** Whether an address is the emulator's own. */
  readonly isOwn: (url: URL) => boolean;
}

/** An attempt that waits for its instant. */
export interface WaitingAttempt {
  readonly at: Instant;
  readonly webhook_event_id: string;
  readonly destination_id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** What goes on in one world. */
interface Desk {
  readonly lanes: Map<string, Lane>;
  /** How many of its attempts are under way. */
  underWay: number;
  /** How many of its lanes have something to start. */
  inLine: number;
  /** Lanes whose turn came when the world had its share under way; they are in line still. */
  readonly parked: Lane[];
  readonly waiters: Set<() => void>;
  readonly detach: () => void;
  /** Ends what is under way. */
  readonly abort: AbortController;
}

/** Requests under way at a time, over all worlds. */
const MOST_UNDER_WAY = 256;

/** How many of them one world may have, so that receivers that hang in one hold up no other. */
const MOST_OF_A_WORLD = 128;

/** How many are started before other work gets its turn. */
const SLICE = 16;

/**
 * Sends what the worlds have to tell, after the commits that file it. First attempts are started here as
 * soon as they are filed; what waits for an instant is started by whoever moves or watches the clock.
 *
 * @assumes A-1204
 */
export class Dispatcher {
  readonly #desks = new Map<World, Desk>();
  /** Lanes with something to start; those that waited longest first. */
  readonly #line: Lane[] = [];
  #underWay = 0;
  #isScheduled = false;
  #isClosed = false;

  constructor(private readonly options: DispatcherOptions) {}

  /** Sends what is filed in a world from now on, and what waits there already. */
  attach(world: World): void {
    if (this.#isClosed || this.#desks.has(world)) return;
    this.#desks.set(world, {
      lanes: new Map(),
      underWay: 0,
      inLine: 0,
      parked: [],
      waiters: new Set(),
      detach: listen(world, {
        commit: (changes) => this.#hear(world, changes),
        restore: () => this.#restart(world),
      }),
      abort: abortForMany(),
    });
    this.#wakeAll(world);
  }

  /** Forgets a world: what is under way there ends and leaves no trace. */
  detach(world: World): void {
    const desk = this.#desks.get(world);
    if (!desk) return;
    this.#desks.delete(world);
    desk.detach();
    desk.abort.abort();
    for (const done of [...desk.waiters]) done();
  }

  /** The attempts that wait for their instant, in order. */
  scheduled(world: World): readonly WaitingAttempt[] {
    return this.#destinations(world)
      .flatMap((lane) => [...waiting(lane, 'turn'), ...waiting(lane, 'clock')])
      .sort((left, right) => compare(left, right))
      .map((row) => ({
        at: dueOf(row),
        webhook_event_id: row.event_id,
        destination_id: row.destination_id,
        attempt: row.tries + 1,
      }));
  }

  /** The instant of the earliest of them. */
  nextDue(world: World): Instant | undefined {
    let earliest: Instant | undefined;
    for (const lane of this.#destinations(world))
      for (const wait of ['turn', 'clock'] as const) {
        const [row] = waiting(lane, wait);
        if (row && (earliest === undefined || dueOf(row) < earliest)) earliest = dueOf(row);
      }
    return earliest;
  }

  /** Starts every attempt due at or before an instant. It never waits and never throws. */
  dispatchDue(world: World, at: Instant): void {
    for (const lane of this.#destinations(world)) {
      for (const row of waiting(lane, 'clock')) {
        if (dueOf(row) > at) break;
        lane.follow({ deliveryId: row.id, reason: 'due' });
      }
      this.#wake(lane);
    }
  }

  /** Starts everything that waits, whatever it waits for. What is paused stays. */
  flush(world: World): void {
    this.releaseHeld(world);
    for (const lane of this.#destinations(world)) {
      for (const row of waiting(lane, 'clock'))
        lane.follow({ deliveryId: row.id, reason: 'flush' });
      this.#wake(lane);
    }
  }

  /** Lets go what is held back until the next event of its destination. */
  releaseHeld(world: World): void {
    const { tables } = world;
    const held = this.#destinations(world).flatMap(({ destinationId }) => [
      ...tables.deliveries.list('successor', destinationId),
    ]);
    if (held.length === 0) return;
    world.commit(() => {
      for (const row of held) release(world, row);
    });
  }

  /** Sends a delivery once more, whatever became of it; whether it was not under way already. */
  replay(world: World, { id, destination_id }: DeliveryRow): boolean {
    const lane = this.#laneOf(world, destination_id);
    const isNew = lane?.follow({ deliveryId: id, reason: 'replay' }) ?? false;
    if (lane) this.#wake(lane);
    return isNew;
  }

  /** Resolves once nothing of a world is under way or about to start. */
  idle(world: World): Promise<void> {
    const desk = this.#desks.get(world);
    if (!desk || isIdle(desk)) return Promise.resolve();
    return new Promise((resolve) => {
      // The requests keep no process alive; who waits for them does.
      const hold = setInterval(() => {}, 2 ** 30);
      const done = () => {
        clearInterval(hold);
        desk.waiters.delete(done);
        resolve();
      };
      desk.waiters.add(done);
    });
  }

  /** Ends everything at once. What was under way is tried again when its world is opened again. */
  close(): void {
    this.#isClosed = true;
    for (const world of [...this.#desks.keys()]) this.detach(world);
    this.options.poster.close();
  }

  /** Starts over in a world whose records were replaced. */
  #restart(world: World): void {
    this.detach(world);
    this.attach(world);
  }

  #hear(world: World, changes: readonly Change[]): void {
    const ids = new Set<string>();
    for (const { table, after } of changes) {
      if (table === 'delivery_pauses') {
        this.#wakeAll(world);
        return;
      }
      if (table === 'deliveries' && after) ids.add((after as DeliveryRow).destination_id);
    }
    for (const id of ids) {
      const lane = this.#laneOf(world, id);
      if (lane) this.#wake(lane);
    }
  }

  #wakeAll(world: World): void {
    for (const lane of this.#destinations(world)) this.#wake(lane);
  }

  /** The lanes of all destinations that are not paused. */
  #destinations(world: World): Lane[] {
    const lanes: Lane[] = [];
    for (const { id } of world.tables.webhooks.values()) {
      const lane = isPaused(world, id) ? undefined : this.#laneOf(world, id);
      if (lane) lanes.push(lane);
    }
    return lanes;
  }

  #laneOf(world: World, destinationId: string): Lane | undefined {
    const lanes = this.#desks.get(world)?.lanes;
    if (!lanes) return undefined;
    const found = lanes.get(destinationId);
    if (found) return found;
    const lane = new Lane(world, destinationId);
    lanes.set(destinationId, lane);
    return lane;
  }

  #wake(lane: Lane): void {
    const desk = this.#desks.get(lane.world);
    if (desk?.lanes.get(lane.destinationId) !== lane) return;
    if (lane.isInLine || !lane.canStart) return;
    lane.isInLine = true;
    desk.inLine += 1;
    this.#line.push(lane);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#line.length === 0 || this.#underWay >= MOST_UNDER_WAY) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startSlice();
      this.#schedule();
    });
  }

  #startSlice(): void {
    for (let left = SLICE; left > 0 && this.#underWay < MOST_UNDER_WAY; left -= 1) {
      const lane = this.#line.shift();
      if (!lane) return;
      const desk = this.#desks.get(lane.world);
      if (desk?.lanes.get(lane.destinationId) !== lane) continue;
      if (desk.underWay >= MOST_OF_A_WORLD) {
        desk.parked.push(lane);
        continue;
      }
      lane.isInLine = false;
      desk.inLine -= 1;
      const job = lane.take();
      if (job) void this.#run(lane, job, desk);
      this.#wake(lane);
      settle(desk);
    }
  }

  async #run(lane: Lane, job: Job, desk: Desk): Promise<void> {
    const { world } = lane;
    const { signal } = desk.abort;
    this.#underWay += 1;
    desk.underWay += 1;
    try {
      await attempt(world, job, {
        settings: this.options.settings,
        send: (request, now) => this.#send(request, now, signal),
        isCurrent: () => !signal.aborted,
      });
      lane.end(job);
    } catch (error) {
      // It stays marked as started: what is broken once would be broken for ever.
      this.options.log.error(`Defect in the delivery ${job.deliveryId}`, error);
      lane.end(job);
      lane.started.add(job.deliveryId);
    }
    this.#underWay -= 1;
    desk.underWay -= 1;
    const parked = desk.parked.shift();
    if (parked) this.#line.push(parked);
    this.#wake(lane);
    const isGone = !world.tables.webhooks.get(lane.destinationId);
    if (isGone && lane.isResting) desk.lanes.delete(lane.destinationId);
    settle(desk);
    this.#schedule();
  }

  #send(request: PreparedRequest, now: Instant, signal: AbortSignal): Promise<PostOutcome> {
    const { inboxes, isOwn, poster } = this.options;
    const url = new URL(request.url);
    const inbox = isOwn(url) ? inboxNameOf(url.pathname) : undefined;
    if (inbox === undefined) return poster.post({ ...request, signal });
    const { headers, body } = request;
    const names = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]);
    const lowered = Object.fromEntries(names) as Record<string, string>;
    inboxes.put({ inbox, received_at: now, came_by: 'emulator', headers: lowered, body });
    return Promise.resolve({ status_code: 204, error: null, duration_ms: 0, response: null });
  }
}

function listen(
  world: World,
  heard: { commit(changes: readonly Change[]): void; restore(): void },
): () => void {
  const stops = [world.onCommit(heard.commit), world.onRestore(heard.restore)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** One that any number of requests may listen to. */
function abortForMany(): AbortController {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  return abort;
}

function isIdle(desk: Desk): boolean {
  return desk.underWay === 0 && desk.inLine === 0;
}

function settle(desk: Desk): void {
  if (desk.waiters.size > 0 && isIdle(desk)) for (const done of [...desk.waiters]) done();
}

/** The rows of a lane that wait and were not started, in their order. */
function* waiting(
  { world, destinationId, started }: Lane,
  wait: 'turn' | 'clock',
): Generator<DeliveryRow> {
  for (const row of world.tables.deliveries.list(wait, destinationId))
    if (!started.has(row.id)) yield row;
}

function dueOf(row: DeliveryRow): Instant {
  return row.next_attempt_at ?? row.created_at;
}

function compare(left: DeliveryRow, right: DeliveryRow): number {
  const [a, b] = [dueOf(left), dueOf(right)];
  if (a !== b) return a < b ? -1 : 1;
  return left.seq - right.seq;
}
