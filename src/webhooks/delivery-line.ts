import type { DeliveryTask, DestinationQueue } from './destination-queue.ts';
import type { WorldDeliveries } from './world-deliveries.ts';

/** Requests under way at a time, over all worlds. */
const MOST_UNDER_WAY = 256;

/** How many of them one world may have, so that receivers that hang in one hold up no other. */
const MOST_OF_A_WORLD = 128;

/** How many are started before other work gets its turn. */
const SLICE = 16;

interface Place {
  readonly queue: DestinationQueue;
  readonly deliveries: WorldDeliveries;
}

/** The queues of all worlds that have something to start; those that waited longest are served first. */
export class DeliveryLine {
  readonly #line: Place[] = [];
  #underWay = 0;
  #isScheduled = false;

  /** @param run makes one attempt; it never throws */
  constructor(
    private readonly run: (
      queue: DestinationQueue,
      task: DeliveryTask,
      signal: AbortSignal,
    ) => Promise<void>,
  ) {}

  /** Puts a queue in line that has something to start. */
  wake(queue: DestinationQueue, deliveries: WorldDeliveries): void {
    if (!isCurrent({ queue, deliveries }) || queue.isInLine || !queue.canStart) return;
    queue.isInLine = true;
    deliveries.inLine += 1;
    this.#line.push({ queue, deliveries });
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
      const place = this.#line.shift();
      if (!place) return;
      const { queue, deliveries } = place;
      if (!isCurrent(place)) continue;
      if (deliveries.underWay >= MOST_OF_A_WORLD) {
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
    this.#underWay += 1;
    deliveries.underWay += 1;
    await this.run(queue, task, deliveries.signal);
    this.#underWay -= 1;
    deliveries.underWay -= 1;
    const parked = deliveries.parked.shift();
    if (parked) this.#line.push({ queue: parked, deliveries });
    this.wake(queue, deliveries);
    deliveries.dropIfDeleted(queue);
    deliveries.noteProgress();
    this.#schedule();
  }
}

function isCurrent({ queue, deliveries }: Place): boolean {
  return !deliveries.signal.aborted && deliveries.has(queue);
}
