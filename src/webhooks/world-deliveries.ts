import { setMaxListeners } from 'node:events';
import type { World } from '../state/world.ts';
import { DestinationQueue, isPaused } from './destination-queue.ts';

/** What is under way and about to start in one world. */
export class WorldDeliveries {
  readonly #queues = new Map<string, DestinationQueue>();
  /** How many of its attempts are under way. */
  underWay = 0;
  /** How many of those take up a share of what may be under way. */
  shares = 0;
  /** How many of its queues have something to start. */
  inLine = 0;
  /** Queues whose turn came when the world had its share under way; they are in line still. */
  readonly parked: DestinationQueue[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #abort = new AbortController();

  constructor(private readonly world: World) {
    // Any number of requests may listen to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborted when what is under way shall end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The queue of one destination, made on first use. */
  queueOf(destinationId: string): DestinationQueue {
    let queue = this.#queues.get(destinationId);
    if (!queue) {
      queue = new DestinationQueue(this.world, destinationId);
      this.#queues.set(destinationId, queue);
    }
    return queue;
  }

  /** The queues of all destinations that are not paused. */
  activeQueues(): DestinationQueue[] {
    const active: DestinationQueue[] = [];
    for (const { id } of this.world.tables.webhooks.values())
      if (!isPaused(this.world, id)) active.push(this.queueOf(id));
    return active;
  }

  /** Whether a queue is the present one of its destination, rather than one that was dropped. */
  has(queue: DestinationQueue): boolean {
    return this.#queues.get(queue.destinationId) === queue;
  }

  /** Drops the queue of a destination that was deleted, once nothing of it is under way. */
  dropIfDeleted(queue: DestinationQueue): void {
    const isDeleted = !this.world.tables.webhooks.get(queue.destinationId);
    if (isDeleted && queue.isResting) this.#queues.delete(queue.destinationId);
  }

  /** Resolves once nothing is under way or about to start. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      // The requests keep no process alive; who waits for them does.
      const hold = setInterval(() => {}, 2 ** 30);
      this.#waiters.add(() => {
        clearInterval(hold);
        resolve();
      });
    });
  }

  /** Tells those who wait, where nothing is left to wait for. */
  noteProgress(): void {
    if (this.#waiters.size > 0 && this.#isIdle) this.#releaseWaiters();
  }

  close(): void {
    this.#abort.abort();
    this.#releaseWaiters();
  }

  get #isIdle(): boolean {
    return this.underWay === 0 && this.inLine === 0;
  }

  #releaseWaiters(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const done of waiters) done();
  }
}
