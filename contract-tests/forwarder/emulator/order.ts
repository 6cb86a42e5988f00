/** An exchange with a service: its world, and the positions of its arrival and end among all events. */
export interface Ordered {
  readonly arrived: number;
  readonly ended: number;
  readonly world: string;
  readonly isWrite: boolean;
}

/** An exchange to compare now. */
export interface OrderedExchange<T> {
  readonly exchange: T;
  /** Whether a write of its world ran in parallel, so that their order is unknown. */
  readonly isContended: boolean;
}

/**
 * Orders exchanges by the end of their responses, because the service has done the work by then. An exchange waits
 * until all that arrived before its end have ended, so that its parallel exchanges are known.
 */
export class Order<T extends Ordered> {
  readonly #inProgress = new Set<number>();
  readonly #ended: T[] = [];
  /** End of the latest write, by world. */
  readonly #lastWrite = new Map<string, number>();

  arrive(arrived: number): void {
    this.#inProgress.add(arrived);
  }

  /** Removes an arrival that has no result. */
  leave(arrived: number): void {
    this.#inProgress.delete(arrived);
  }

  end(exchange: T): void {
    this.#inProgress.delete(exchange.arrived);
    const later = this.#ended.findIndex(({ ended }) => ended > exchange.ended);
    this.#ended.splice(later === -1 ? this.#ended.length : later, 0, exchange);
  }

  /** Yields and removes the exchanges whose turn has come. */
  *ready(): Generator<OrderedExchange<T>> {
    for (;;) {
      const [first] = this.#ended;
      if (!first || this.#earliestInProgress() < first.ended) return;
      this.#ended.shift();
      yield this.#withContention(first);
    }
  }

  #earliestInProgress(): number {
    const [earliest = Number.POSITIVE_INFINITY] = this.#inProgress;
    return earliest;
  }

  #withContention(exchange: T): OrderedExchange<T> {
    const { world, isWrite, ended, arrived } = exchange;
    const isBesideLater = this.#ended.some(
      (other) => other.world === world && other.isWrite && other.arrived < ended,
    );
    const isContended = isBesideLater || (this.#lastWrite.get(world) ?? 0) > arrived;
    if (isWrite) this.#lastWrite.set(world, ended);
    return { exchange, isContended };
  }
}
