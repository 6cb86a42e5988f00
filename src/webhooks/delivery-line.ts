import { setMaxListeners } from 'node:events';
import type { World } from '../store/world.ts';
import { type DeliveryTask, DestinationQueue } from './destination-queue.ts';

/** Maximum attempts in progress, over all worlds: each uses a connection, and of a receiver that hangs for long. */
const MAX_IN_PROGRESS = 2_048;

/** Number of attempts started before other work gets its turn. */
const SLICE = 16;

interface Place {
  readonly queue: DestinationQueue;
  readonly deliveries: WorldDeliveries;
}

/** The line of queues, over all worlds, that have an attempt to start. Queues are served in turn. */
export class DeliveryLine {
  readonly #line: Place[] = [];
  #inProgress = 0;
  #isScheduled = false;

  /** @param run makes one attempt; it never throws */
  constructor(
    private readonly run: (
      queue: DestinationQueue,
      task: DeliveryTask,
      signal: AbortSignal,
    ) => Promise<void>,
  ) {}

  /** Puts a queue in line if it has an attempt to start. */
  wake(queue: DestinationQueue, deliveries: WorldDeliveries): void {
    if (!isCurrent({ queue, deliveries }) || queue.isInLine || !queue.canStart) return;
    queue.isInLine = true;
    deliveries.inLine += 1;
    this.#line.push({ queue, deliveries });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#line.length === 0 || this.#inProgress >= MAX_IN_PROGRESS) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startSlice();
      this.#schedule();
    });
  }

  #startSlice(): void {
    for (let left = SLICE; left > 0 && this.#inProgress < MAX_IN_PROGRESS; left -= 1) {
      const place = this.#line.shift();
      if (!place) return;
      const { queue, deliveries } = place;
      if (!isCurrent(place)) continue;
      queue.isInLine = false;
      deliveries.inLine -= 1;
      const task = queue.take();
      if (task) void this.#start(place, task);
      this.wake(queue, deliveries);
      deliveries.noteProgress();
    }
  }

  async #start({ queue, deliveries }: Place, task: DeliveryTask): Promise<void> {
    this.#inProgress += 1;
    deliveries.inProgress += 1;
    await this.run(queue, task, deliveries.signal);
    this.#inProgress -= 1;
    deliveries.inProgress -= 1;
    this.wake(queue, deliveries);
    this.#schedule();
    deliveries.dropIfDeleted(queue);
    deliveries.noteProgress();
  }
}

const isCurrent = ({ queue, deliveries }: Place): boolean =>
  !deliveries.signal.aborted && deliveries.has(queue);

/** The attempts of one world that are in progress or ready to start. */
export class WorldDeliveries {
  readonly #queues = new Map<string, DestinationQueue>();
  /** Number of attempts in progress. */
  inProgress = 0;
  /** Number of queues with an attempt to start. */
  inLine = 0;
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
    return this.inProgress === 0 && this.inLine === 0;
  }

  #releaseWaiters(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const done of waiters) done();
  }
}
