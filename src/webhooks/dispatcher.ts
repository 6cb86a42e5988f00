import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { DeliveryRow } from '../store/records.ts';
import type { Change } from '../store/row.ts';
import { key } from '../store/schema.ts';
import type { Storage } from '../store/storage/storage.ts';
import type { World } from '../store/world.ts';
import { attemptDelivery, type PreparedRequest } from './attempt.ts';
import { DeliveryLine, WorldDeliveries } from './delivery-line.ts';
import { release } from './delivery-rows.ts';
import {
  type DeliveryTask,
  type DestinationQueue,
  dueInstantOf,
  earliestAttempt,
  type ScheduledAttempt,
  scheduledAttempts,
  waitingDeliveries,
} from './destination-queue.ts';
import { type Inboxes, inboxNameOf } from './inbox.ts';
import type { Poster, PostOutcome } from './post.ts';
import { Relays, relayNameOf } from './relays.ts';

/** The pause before asking again whether an event is kept. */
const UNKEPT_MS = 1_000;

interface DispatcherOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly poster: Poster;
  readonly inboxes: Inboxes;
  readonly storage: Pick<Storage, 'durable'>;
  /** Whether a URL leads to the emulator itself. */
  readonly isOwn: (url: URL) => boolean;
}

/** Which waiting attempts to start: those that are wanted, and due by an instant. */
interface Start {
  readonly reason: 'due' | 'flush';
  readonly until?: Instant;
  readonly isWanted?: (row: DeliveryRow) => boolean;
}

/**
 * Sends the webhook events of all worlds, after the commits that enqueue their deliveries. First attempts start
 * as soon as they are enqueued. Deliveries that wait for a time are started by the code that moves or watches
 * the clock.
 *
 * @assumes A-1204
 */
export class Dispatcher {
  readonly #worlds = new Map<World, WorldDeliveries>();
  readonly #line = new DeliveryLine((queue, task, signal) => this.#attempt(queue, task, signal));
  #isClosed = false;
  /** Number of attempts, by whether the receiver acknowledged them. */
  readonly attempts = { acknowledged: 0, failed: 0 };
  /** Listeners that take deliveries by a connection of their own. */
  readonly relays = new Relays();

  constructor(private readonly options: DispatcherOptions) {}

  /** Starts to send the deliveries of a world, including those already enqueued. */
  attach(world: World): void {
    if (this.#isClosed || this.#worlds.has(world)) return;
    const deliveries = new WorldDeliveries(world);
    const stops = [
      world.onCommit((changes) => this.#noteChanges(deliveries, changes)),
      world.onRestore(() => this.#restart(world)),
    ];
    for (const stop of stops) deliveries.signal.addEventListener('abort', stop);
    this.#worlds.set(world, deliveries);
    for (const queue of deliveries.activeQueues()) this.#line.wake(queue, deliveries);
  }

  /** Stops sending for a world. Attempts in progress end unrecorded, and its inboxes are emptied. */
  detach(world: World): void {
    const deliveries = this.#worlds.get(world);
    if (!deliveries) return;
    this.#worlds.delete(world);
    deliveries.close();
    this.options.inboxes.forget(world);
  }

  /** The waiting attempts in due order, without those in progress. */
  scheduled(world: World): readonly ScheduledAttempt[] {
    return scheduledAttempts(this.#activeQueues(world));
  }

  /** The due time of the earliest waiting attempt, or undefined if none waits. */
  nextDue(world: World): Instant | undefined {
    return earliestAttempt(this.#activeQueues(world));
  }

  /** The same of those that wait for the clock alone, so without first attempts. */
  nextRetry(world: World): Instant | undefined {
    return earliestAttempt(this.#activeQueues(world), ['clock']);
  }

  /**
   * Starts every attempt due at or before an instant, each once. Returns at once and never throws. Each outcome
   * is recorded in its own commit.
   */
  dispatchDue(world: World, at: Instant): void {
    this.#startWaiting(world, { reason: 'due', until: at });
  }

  /** Starts all waiting attempts that are wanted, even before they are due. Paused destinations stay paused. */
  flush(world: World, isWanted: (row: DeliveryRow) => boolean): void {
    this.releaseHeld(world, isWanted);
    this.#startWaiting(world, { reason: 'flush', isWanted });
  }

  /** Releases deliveries that a fault rule holds back until the next event of their destination. */
  releaseHeld(world: World, isWanted: (row: DeliveryRow) => boolean = () => true): void {
    const { tables } = world;
    const held = this.#activeQueues(world)
      .flatMap(({ destinationId }) => [
        ...tables.deliveries.sorted('waiting', key('successor', destinationId)),
      ])
      .filter(isWanted);
    if (held.length === 0) return;
    world.commit(() => {
      for (const row of held) release(world, row);
    });
  }

  /** Sends a delivery again, whatever its status. Returns false if it is already queued or in progress. */
  replay(world: World, { id, destination_id }: DeliveryRow): boolean {
    const deliveries = this.#worlds.get(world);
    if (!deliveries) return false;
    const queue = deliveries.queueOf(destination_id);
    const isNew = queue.follow({ deliveryId: id, reason: 'replay' });
    this.#line.wake(queue, deliveries);
    return isNew;
  }

  /** Resolves once a world has no attempt in progress or ready to start, and all outcomes are recorded. */
  idle(world: World): Promise<void> {
    return this.#worlds.get(world)?.idle() ?? Promise.resolve();
  }

  /** Stops all attempts. Those in progress are tried again when their world is opened again. */
  close(): void {
    this.#isClosed = true;
    for (const world of [...this.#worlds.keys()]) this.detach(world);
    this.options.poster.close();
  }

  /** Starts again after the records of a world are replaced. */
  #restart(world: World): void {
    this.detach(world);
    this.attach(world);
  }

  #noteChanges(deliveries: WorldDeliveries, changes: readonly Change[]): void {
    const ids = new Set<string>();
    for (const { table, after } of changes) {
      if (table === 'deliveries' && after) ids.add((after as DeliveryRow).destination_id);
      // It may go on after a pause.
      if (table === 'webhooks' && after) ids.add(after.id);
    }
    for (const id of ids) this.#line.wake(deliveries.queueOf(id), deliveries);
  }

  #activeQueues(world: World): DestinationQueue[] {
    return this.#worlds.get(world)?.activeQueues() ?? [];
  }

  #startWaiting(world: World, { reason, until, isWanted }: Start): void {
    const deliveries = this.#worlds.get(world);
    if (!deliveries) return;
    for (const queue of deliveries.activeQueues()) {
      for (const row of waitingDeliveries(queue, 'clock')) {
        if (until !== undefined && dueInstantOf(row) > until) break;
        if (isWanted?.(row) ?? true) queue.follow({ deliveryId: row.id, reason });
      }
      this.#line.wake(queue, deliveries);
    }
  }

  async #attempt(queue: DestinationQueue, task: DeliveryTask, signal: AbortSignal): Promise<void> {
    const { settings, log } = this.options;
    try {
      await attemptDelivery(queue.world, task, {
        settings,
        isInbox: (url) => inboxNameOf(this.#ownPathOf(url)) !== undefined,
        send: (request, now) => this.#sendKept(queue.world, request, now, signal),
        isCurrent: () => !signal.aborted,
      });
      queue.end(task);
    } catch (error) {
      // Keep it marked as started. A defect would fail again on every try.
      log.error(`Defect in the delivery ${task.deliveryId}`, error);
      queue.end(task);
      queue.started.add(task.deliveryId);
    }
  }

  /** Sends a request once its event is kept, because the receiver may act on it. */
  async #sendKept(
    world: World,
    request: PreparedRequest,
    now: Instant,
    signal: AbortSignal,
  ): Promise<PostOutcome> {
    const { storage } = this.options;
    for (let wait = storage.durable(world); wait; wait = storage.durable(world)) {
      await wait.catch(() => pause(UNKEPT_MS, undefined, { signal, ref: false }).catch(() => {}));
      // Its outcome is not wanted any more.
      if (signal.aborted) return this.options.poster.post({ ...request, signal });
    }
    return this.#count(this.#send(world, request, now, signal));
  }

  async #count(sent: Promise<PostOutcome>): Promise<PostOutcome> {
    const outcome = await sent;
    const isAcknowledged = outcome.error === null;
    this.attempts[isAcknowledged ? 'acknowledged' : 'failed'] += 1;
    return outcome;
  }

  /** The path of a URL that leads to the emulator itself; empty for any other. */
  #ownPathOf(address: string): string {
    const url = new URL(address);
    return this.options.isOwn(url) ? url.pathname : '';
  }

  #send(
    world: World,
    request: PreparedRequest,
    now: Instant,
    signal: AbortSignal,
  ): Promise<PostOutcome> {
    const { inboxes, poster } = this.options;
    const path = this.#ownPathOf(request.url);
    const relay = relayNameOf(path);
    if (relay !== undefined) return this.relays.post(relay, world, request);
    const inbox = inboxNameOf(path);
    if (inbox === undefined) return poster.post({ ...request, signal });
    const { headers, body } = request;
    const names = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]);
    const lowered = Object.fromEntries(names) as Record<string, string>;
    inboxes.put({ inbox, world, received_at: now, came_by: 'emulator', headers: lowered, body });
    return Promise.resolve({ status_code: 204, error: null, duration_ms: 0, response: null });
  }
}
