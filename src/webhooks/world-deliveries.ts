import { setMaxListeners } from 'node:events';
import type { World } from '../store/world.ts';
import { DestinationQueue } from './destination-queue.ts';

/** The attempts of one world that are in progress or ready to start. */
export class WorldDeliveries {
  readonly #queues = new Map<string, DestinationQueue>();
  /** Number of attempts in progress. */
  underWay = 0;
  /** Number of attempts in progress that use a share of the limit. */
  shares = 0;
  /** Number of queues with an attempt to start. */
  inLine = 0;
  /** Queues that had their turn while the world used all its shares. They are still in line. */
  readonly parked: DestinationQueue[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #abort = new AbortController();

  constructor(private readonly world: World) {
    // Any number of requests can listen to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborted when attempts in progress must end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the queue of one destination. Creates it on first use. */
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
    for (const { id, paused } of this.world.tables.webhooks.values())
      if (!paused) active.push(this.queueOf(id));
    return active;
  }

  /** Whether a queue is the current one of its destination, not a dropped one. */
  has(queue: DestinationQueue): boolean {
    return this.#queues.get(queue.destinationId) === queue;
  }

  /** Drops the queue of a deleted destination, once it has no attempt in progress. */
  dropIfDeleted(queue: DestinationQueue): void {
    const isDeleted = !this.world.tables.webhooks.get(queue.destinationId);
    if (isDeleted && queue.isResting) this.#queues.delete(queue.destinationId);
  }

  /** Resolves once no attempt is in progress or ready to start. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      // The requests do not keep the process alive, so the timer does.
      const hold = setInterval(() => {}, 2 ** 30);
      this.#waiters.add(() => {
        clearInterval(hold);
        resolve();
      });
    });
  }

  /** Notifies waiters once all attempts are done. */
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
