/** An exchange with a service: its world, and the positions of its arrival and end among all events. */
export interface Ordered {
  readonly arrived: number;
  readonly ended: number;
  readonly world: string;
  readonly isWrite: boolean;
}

/** An exchange to compare now, with the exchanges of its world that ran in parallel. */
export interface Turn<T> {
  readonly exchange: T;
  /** Reads that may have seen the world before this write, and writes that this read may have seen. */
  readonly beside: readonly T[];
  /** Whether a write ran in parallel to this write, so that their order is unknown. */
  readonly isContended: boolean;
}

/**
 * Orders exchanges by the end of their responses, because the service has done the work by then. An exchange waits
 * until all that arrived before its end have ended, so that its parallel exchanges are known.
 */
export class Order<T extends Ordered> {
  readonly #underWay = new Set<number>();
  readonly #ended: T[] = [];
  /** End of the latest write, by world. */
  readonly #lastWrite = new Map<string, number>();

  arrive(arrived: number): void {
    this.#underWay.add(arrived);
  }

  /** Removes an arrival that has no result. */
  leave(arrived: number): void {
    this.#underWay.delete(arrived);
  }

  end(exchange: T): void {
    this.#underWay.delete(exchange.arrived);
    const later = this.#ended.findIndex(({ ended }) => ended > exchange.ended);
    this.#ended.splice(later === -1 ? this.#ended.length : later, 0, exchange);
  }

  /** Yields and removes the exchanges whose turn has come. */
  *turns(): Generator<Turn<T>> {
    for (;;) {
      const [first] = this.#ended;
      if (!first || this.#earliestUnderWay() < first.ended) return;
      this.#ended.shift();
      yield this.#turnOf(first);
    }
  }

  #earliestUnderWay(): number {
    const [earliest = Number.POSITIVE_INFINITY] = this.#underWay;
    return earliest;
  }

  #turnOf(exchange: T): Turn<T> {
    const { world, isWrite, ended, arrived } = exchange;
    const overlapping: T[] = [];
    for (const other of this.#ended)
      if (other.world === world && other.arrived < ended) overlapping.push(other);
    const beside = overlapping.filter((other) => other.isWrite !== isWrite);
    if (!isWrite) return { exchange, beside, isContended: false };
    const isBesideEarlier = (this.#lastWrite.get(world) ?? 0) > arrived;
    this.#lastWrite.set(world, ended);
    const isContended = isBesideEarlier || overlapping.some((other) => other.isWrite);
    return { exchange, beside, isContended };
  }
}
