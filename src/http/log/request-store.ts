import type { World } from '../../state/world.ts';
import type { Exchange } from './exchange.ts';

export interface StoreLimits {
  /** Most exchanges kept for one world. */
  readonly count: number;
  /** Most bytes kept for all worlds together. */
  readonly bytes: number;
}

interface Entry {
  /** Absent once it is dropped, so that a queue that still has the entry holds nothing more of it. */
  exchange: Exchange | undefined;
  readonly bytes: number;
  readonly log: WorldLog;
}

/** What is kept for one world, oldest first. */
export interface WorldLog {
  readonly entries: Queue<Entry>;
}

/** Beside its bodies, what an exchange holds: headers, and rows that nothing else may hold any more. */
const BYTES_OF_HEADERS = 1_024;
const BYTES_OF_CHANGE = 512;

/** Keeps the latest exchanges of each world, and forgets the oldest where they become too many. */
export class RequestStore {
  readonly #all = new Queue<Entry>();
  readonly #keeping = {
    name: 'requests',
    open: (): WorldLog => ({ entries: new Queue<Entry>() }),
    clear: (log: WorldLog) => this.#forget(log),
    close: (log: WorldLog) => this.#forget(log),
  };
  #bytes = 0;
  #live = 0;

  constructor(private readonly limits: StoreLimits) {}

  get bytes(): number {
    return this.#bytes;
  }

  add(exchange: Exchange): void {
    if (this.limits.count === 0) return;
    const log = exchange.world.local(this.#keeping);
    const entry: Entry = { exchange, bytes: bytesOf(exchange), log };
    log.entries.push(entry);
    this.#all.push(entry);
    this.#bytes += entry.bytes;
    this.#live += 1;
    if (log.entries.length > this.limits.count) this.#dropFirst(log);
    while (this.#bytes > this.limits.bytes) this.#dropOldest();
    if (this.#all.length > 2 * this.#live + 64) this.#all.keep(isHeld);
  }

  /** The exchanges of a world, oldest first. */
  of(world: World): readonly Exchange[] {
    return world
      .local(this.#keeping)
      .entries.toArray()
      .map(({ exchange }) => exchange as Exchange);
  }

  clear(world: World): void {
    this.#forget(world.local(this.#keeping));
  }

  #dropOldest(): void {
    const entry = this.#all.shift() as Entry;
    if (isHeld(entry)) this.#dropFirst(entry.log);
  }

  /** The oldest of all is the oldest of its world, so both queues lose from their front alone. */
  #dropFirst(log: WorldLog): void {
    const entry = log.entries.shift() as Entry;
    entry.exchange = undefined;
    this.#bytes -= entry.bytes;
    this.#live -= 1;
  }

  #forget(log: WorldLog): void {
    while (log.entries.length > 0) this.#dropFirst(log);
    this.#all.keep(isHeld);
  }
}

const isHeld = ({ exchange }: Entry): boolean => exchange !== undefined;

function bytesOf({ requestBody, rawResponse }: Exchange): number {
  const changes = rawResponse.changes?.length ?? 0;
  return (
    BYTES_OF_HEADERS + requestBody.length + rawResponse.text.length + changes * BYTES_OF_CHANGE
  );
}

/** First in, first out, without moving what stays at each step. */
class Queue<T> {
  #values: (T | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#values.length - this.#first;
  }

  push(value: T): void {
    this.#values.push(value);
  }

  shift(): T | undefined {
    const value = this.#values[this.#first];
    this.#values[this.#first] = undefined;
    this.#first += 1;
    if (this.#first > 64 && this.#first * 2 > this.#values.length) this.keep(() => true);
    return value;
  }

  keep(wanted: (value: T) => boolean): void {
    this.#values = this.toArray().filter(wanted);
    this.#first = 0;
  }

  toArray(): T[] {
    return this.#values.slice(this.#first) as T[];
  }
}
