import { setMaxListeners } from 'node:events';
import type { World } from '../store/world.ts';
import { type DeliveryTask, DestinationQueue } from './destination-queue.ts';

/** Maximum attempts in progress, over all worlds. */
const MAX_IN_PROGRESS = 256;

/** Maximum of them for one world, so that receivers that hang in one world do not block others. */
const MAX_OF_A_WORLD = 128;

/**
 * After this many milliseconds an attempt gives back its share, so that receivers that hang do not block
 * others. The number of such attempts is limited, because each still uses a connection.
 */
const SLOW_MS = 1_000;
const MAX_SLOW = 2_048;

/** Number of attempts started before other work gets its turn. */
const SLICE = 16;

interface Place {
  readonly queue: DestinationQueue;
  readonly deliveries: WorldDeliveries;
}

/** The line of queues, over all worlds, that have an attempt to start. Queues are served in turn. */
export class DeliveryLine {
  readonly #line: Place[] = [];
  /** Attempts that use a share, and attempts that gave it back. */
  #shares = 0;
  #slow = 0;
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
    if (this.#isScheduled || this.#line.length === 0 || this.#shares >= MAX_IN_PROGRESS) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startSlice();
      this.#schedule();
    });
  }

  #startSlice(): void {
    for (let left = SLICE; left > 0 && this.#shares < MAX_IN_PROGRESS; left -= 1) {
      const place = this.#line.shift();
      if (!place) return;
      const { queue, deliveries } = place;
      if (!isCurrent(place)) continue;
      if (deliveries.shares >= MAX_OF_A_WORLD) {
        deliveries.parked.push(queue);
        continue;
      }
      queue.isInLine = false;
      deliveries.inLine -= 1;
      const task = queue.take();
      if (task) void this.#start(place, task);
      this.wake(queue, deliveries);
      deliveries.noteProgress();
    }
  }

  async #start({ queue, deliveries }: Place, task: DeliveryTask): Promise<void> {
    const giveBack = this.#takeShare(deliveries);
    let isSlow = false;
    const slow = setTimeout(() => {
      if (this.#slow >= MAX_SLOW) return;
      isSlow = true;
      this.#slow += 1;
      giveBack();
    }, SLOW_MS).unref();
    deliveries.inProgress += 1;
    await this.run(queue, task, deliveries.signal);
    deliveries.inProgress -= 1;
    clearTimeout(slow);
    if (isSlow) this.#slow -= 1;
    else giveBack();
    this.wake(queue, deliveries);
    deliveries.dropIfDeleted(queue);
    deliveries.noteProgress();
  }

  /** Takes a share. Returns a function that gives it back and puts the world's next parked queue in line. */
  #takeShare(deliveries: WorldDeliveries): () => void {
    this.#shares += 1;
    deliveries.shares += 1;
    return () => {
      this.#shares -= 1;
      deliveries.shares -= 1;
      const parked = deliveries.parked.shift();
      if (parked) this.#line.push({ queue: parked, deliveries });
      this.#schedule();
    };
  }
}

const isCurrent = ({ queue, deliveries }: Place): boolean =>
  !deliveries.signal.aborted && deliveries.has(queue);

/** The attempts of one world that are in progress or ready to start. */
export class WorldDeliveries {
  readonly #queues = new Map<string, DestinationQueue>();
  /** Number of attempts in progress. */
  inProgress = 0;
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
    return this.inProgress === 0 && this.inLine === 0;
  }

  #releaseWaiters(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const done of waiters) done();
  }
}
