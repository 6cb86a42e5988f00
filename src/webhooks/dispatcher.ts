import { setMaxListeners } from 'node:events';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { DeliveryRow } from '../state/records.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { attemptDelivery } from './attempt.ts';
import { type DeliveryTask, DestinationQueue, isPaused } from './destination-queue.ts';
import { release } from './enqueue-delivery.ts';
import { type Inboxes, inboxNameOf } from './inbox.ts';
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
interface WorldDeliveries {
  readonly queues: Map<string, DestinationQueue>;
  /** How many of its attempts are under way. */
  underWay: number;
  /** How many of its queues have something to start. */
  inLine: number;
  /** Lanes whose turn came when the world had its share under way; they are in line still. */
  readonly parked: DestinationQueue[];
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
  readonly #worlds = new Map<World, WorldDeliveries>();
  /** Lanes with something to start; those that waited longest first. */
  readonly #line: DestinationQueue[] = [];
  #underWay = 0;
  #isScheduled = false;
  #isClosed = false;

  constructor(private readonly options: DispatcherOptions) {}

  /** Sends what is filed in a world from now on, and what waits there already. */
  attach(world: World): void {
    if (this.#isClosed || this.#worlds.has(world)) return;
    this.#worlds.set(world, {
      queues: new Map(),
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
    const deliveries = this.#worlds.get(world);
    if (!deliveries) return;
    this.#worlds.delete(world);
    deliveries.detach();
    deliveries.abort.abort();
    for (const done of [...deliveries.waiters]) done();
  }

  /** The attempts that wait for their instant, in order. */
  scheduled(world: World): readonly WaitingAttempt[] {
    return this.#destinations(world)
      .flatMap((queue) => [...waiting(queue, 'turn'), ...waiting(queue, 'clock')])
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
    for (const queue of this.#destinations(world))
      for (const wait of ['turn', 'clock'] as const) {
        const [row] = waiting(queue, wait);
        if (row && (earliest === undefined || dueOf(row) < earliest)) earliest = dueOf(row);
      }
    return earliest;
  }

  /** Starts every attempt due at or before an instant. It never waits and never throws. */
  dispatchDue(world: World, at: Instant): void {
    for (const queue of this.#destinations(world)) {
      for (const row of waiting(queue, 'clock')) {
        if (dueOf(row) > at) break;
        queue.follow({ deliveryId: row.id, reason: 'due' });
      }
      this.#wake(queue);
    }
  }

  /** Starts everything that waits, whatever it waits for. What is paused stays. */
  flush(world: World): void {
    this.releaseHeld(world);
    for (const queue of this.#destinations(world)) {
      for (const row of waiting(queue, 'clock'))
        queue.follow({ deliveryId: row.id, reason: 'flush' });
      this.#wake(queue);
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
    const queue = this.#laneOf(world, destination_id);
    const isNew = queue?.follow({ deliveryId: id, reason: 'replay' }) ?? false;
    if (queue) this.#wake(queue);
    return isNew;
  }

  /** Resolves once nothing of a world is under way or about to start. */
  idle(world: World): Promise<void> {
    const deliveries = this.#worlds.get(world);
    if (!deliveries || isIdle(deliveries)) return Promise.resolve();
    return new Promise((resolve) => {
      // The requests keep no process alive; who waits for them does.
      const hold = setInterval(() => {}, 2 ** 30);
      const done = () => {
        clearInterval(hold);
        deliveries.waiters.delete(done);
        resolve();
      };
      deliveries.waiters.add(done);
    });
  }

  /** Ends everything at once. What was under way is tried again when its world is opened again. */
  close(): void {
    this.#isClosed = true;
    for (const world of [...this.#worlds.keys()]) this.detach(world);
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
      const queue = this.#laneOf(world, id);
      if (queue) this.#wake(queue);
    }
  }

  #wakeAll(world: World): void {
    for (const queue of this.#destinations(world)) this.#wake(queue);
  }

  /** The queues of all destinations that are not paused. */
  #destinations(world: World): DestinationQueue[] {
    const queues: DestinationQueue[] = [];
    for (const { id } of world.tables.webhooks.values()) {
      const queue = isPaused(world, id) ? undefined : this.#laneOf(world, id);
      if (queue) queues.push(queue);
    }
    return queues;
  }

  #laneOf(world: World, destinationId: string): DestinationQueue | undefined {
    const queues = this.#worlds.get(world)?.queues;
    if (!queues) return undefined;
    const found = queues.get(destinationId);
    if (found) return found;
    const queue = new DestinationQueue(world, destinationId);
    queues.set(destinationId, queue);
    return queue;
  }

  #wake(queue: DestinationQueue): void {
    const deliveries = this.#worlds.get(queue.world);
    if (deliveries?.queues.get(queue.destinationId) !== queue) return;
    if (queue.isInLine || !queue.canStart) return;
    queue.isInLine = true;
    deliveries.inLine += 1;
    this.#line.push(queue);
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
      const queue = this.#line.shift();
      if (!queue) return;
      const deliveries = this.#worlds.get(queue.world);
      if (deliveries?.queues.get(queue.destinationId) !== queue) continue;
      if (deliveries.underWay >= MOST_OF_A_WORLD) {
        deliveries.parked.push(queue);
        continue;
      }
      queue.isInLine = false;
      deliveries.inLine -= 1;
      const job = queue.take();
      if (job) void this.#run(queue, job, deliveries);
      this.#wake(queue);
      settle(deliveries);
    }
  }

  async #run(
    queue: DestinationQueue,
    job: DeliveryTask,
    deliveries: WorldDeliveries,
  ): Promise<void> {
    const { world } = queue;
    const { signal } = deliveries.abort;
    this.#underWay += 1;
    deliveries.underWay += 1;
    try {
      await attemptDelivery(world, job, {
        settings: this.options.settings,
        send: (request, now) => this.#send(request, now, signal),
        isCurrent: () => !signal.aborted,
      });
      queue.end(job);
    } catch (error) {
      // It stays marked as started: what is broken once would be broken for ever.
      this.options.log.error(`Defect in the delivery ${job.deliveryId}`, error);
      queue.end(job);
      queue.started.add(job.deliveryId);
    }
    this.#underWay -= 1;
    deliveries.underWay -= 1;
    const parked = deliveries.parked.shift();
    if (parked) this.#line.push(parked);
    this.#wake(queue);
    const isGone = !world.tables.webhooks.get(queue.destinationId);
    if (isGone && queue.isResting) deliveries.queues.delete(queue.destinationId);
    settle(deliveries);
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

function isIdle(deliveries: WorldDeliveries): boolean {
  return deliveries.underWay === 0 && deliveries.inLine === 0;
}

function settle(deliveries: WorldDeliveries): void {
  if (deliveries.waiters.size > 0 && isIdle(deliveries))
    for (const done of [...deliveries.waiters]) done();
}

/** The rows of a queue that wait and were not started, in their order. */
function* waiting(
  { world, destinationId, started }: DestinationQueue,
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
