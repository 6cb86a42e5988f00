import type { Limits } from '../../domain/limits.ts';
import type { World } from '../../store/world.ts';
import type { Exchange, ExchangeListener } from './exchange.ts';
import { differencesFrom, type ExchangeMatch } from './match.ts';

/** Maximum exchanges of one world, and maximum bytes of all worlds together. */
type LogLimits = Pick<Limits, 'MAX_LOGGED_REQUESTS' | 'MAX_LOG_BYTES'>;

interface Entry {
  /** Undefined once dropped, so that a queue that still holds the entry keeps nothing else in memory. */
  exchange: Exchange | undefined;
  readonly bytes: number;
  readonly log: WorldLog;
}

/** A range of a log, by ordinals. By default it starts and ends with the log. */
export interface LogRange {
  /** Only entries after the request with this ordinal. */
  readonly after?: number;
  /** Only entries up to the request with this ordinal. */
  readonly until?: number;
}

interface LogPart {
  readonly exchanges: readonly Exchange[];
  /** Ordinal of the last dropped request in the range. Undefined if the range is complete. */
  readonly lost?: number;
}

/** The log of one world, oldest first. */
interface WorldLog {
  readonly entries: Queue<Entry>;
  /** The ordinal of the last entry dropped for lack of room. */
  dropped: number;
}

/**
 * Estimated memory of an exchange beside request and response: the object itself, and rows that nothing else
 * references.
 */
const BYTES_OF_EXCHANGE = 1_024;
const BYTES_OF_CHANGE = 512;

/**
 * Keeps the latest exchanges of each world, each with the changes it committed. Drops the oldest above the
 * limits. It stores references and formats nothing, so that recording is cheap.
 *
 * @assumes A-1404
 */
export class RequestLog {
  readonly #listeners = new Set<ExchangeListener>();
  readonly #all = new Queue<Entry>();
  readonly #keeping = {
    name: 'requests',
    open: (): WorldLog => ({ entries: new Queue<Entry>(), dropped: 0 }),
    clear: (log: WorldLog) => {
      this.#forget(log);
      // A replaced world counts its requests from 1 again.
      log.dropped = 0;
    },
    hold: (log: WorldLog) => {
      const entries = log.entries.toArray();
      const held = { ...log, entries: new Queue<Entry>() };
      for (const entry of entries) held.entries.push({ ...entry });
      return { held, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    adopt: (log: WorldLog, held: WorldLog) => {
      log.dropped = held.dropped;
      for (const entry of held.entries.toArray()) this.#keep({ ...entry, log });
    },
    close: (log: WorldLog) => this.#forget(log),
  };
  #bytes = 0;
  #live = 0;

  constructor(private readonly limits: LogLimits) {}

  /** Adds an exchange: a request, or a change of the world from outside. */
  record(exchange: Exchange): void {
    if (this.limits.MAX_LOGGED_REQUESTS > 0) this.#add(exchange);
    if (!exchange.isMove) for (const listener of this.#listeners) listener(exchange);
  }

  /** Calls a listener after every request to any world. Returns a function that removes it. */
  onExchange(listener: ExchangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The matching requests of a world, newest first. */
  list(world: World, match: ExchangeMatch = {}, after = 0): readonly Exchange[] {
    const { entries } = world.local(this.#keeping);
    return entries
      .toArray()
      .map(({ exchange }) => exchange as Exchange)
      .filter((exchange) => !exchange.isMove && exchange.ordinal > after)
      .filter((exchange) => differencesFrom(match, exchange).length === 0)
      .reverse();
  }

  /** The number of requests of a world that are still in the log. */
  count(world: World): number {
    const { entries } = world.local(this.#keeping);
    return entries.toArray().filter(({ exchange }) => !exchange?.isMove).length;
  }

  #add(exchange: Exchange): void {
    const log = exchange.world.local(this.#keeping);
    this.#keep({ exchange, bytes: bytesOf(exchange), log });
  }

  #keep(entry: Entry): void {
    const { log } = entry;
    log.entries.push(entry);
    this.#all.push(entry);
    this.#bytes += entry.bytes;
    this.#live += 1;
    if (log.entries.length > this.limits.MAX_LOGGED_REQUESTS) this.#dropFirst(log);
    while (this.#bytes > this.limits.MAX_LOG_BYTES) this.#dropOldest();
    if (this.#all.length > 2 * this.#live + 64) this.#all.keep(isHeld);
  }

  /** Returns the entries in a range of a world's log, oldest first, including changes from outside. */
  part(world: World, range: LogRange): LogPart {
    const log = world.local(this.#keeping);
    const { after = 0, until = Infinity } = range;
    const exchanges = log.entries
      .toArray()
      .map(({ exchange }) => exchange as Exchange)
      .filter((each) => (each.isMove ? each.ordinal >= after : each.ordinal > after))
      .filter(({ ordinal }) => ordinal <= until);
    return { exchanges, ...(log.dropped > after && { lost: log.dropped }) };
  }

  #dropOldest(): void {
    const entry = this.#all.shift() as Entry;
    if (isHeld(entry)) this.#dropFirst(entry.log);
  }

  /** The oldest entry of all is the oldest of its world, so both queues only drop from the front. */
  #dropFirst(log: WorldLog): void {
    const entry = log.entries.shift() as Entry;
    log.dropped = Math.max(log.dropped, entry.exchange?.ordinal ?? 0);
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

function bytesOf({ rawRequest, requestBody, rawResponse, changes }: Exchange): number {
  const { path, search, headers } = rawRequest;
  let bytes = BYTES_OF_EXCHANGE + changes.length * BYTES_OF_CHANGE;
  bytes += path.length + search.length + requestBody.length + rawResponse.text.length;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}

/** A first-in first-out queue that does not move its entries on each step. */
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

interface OperationTally {
  readonly statuses: Map<number, number>;
  /** How long they took together. @units seconds */
  seconds: number;
}

/** Counts the requests to the service by operation, when they are finished. */
export class RequestMetrics {
  readonly tallies = new Map<string, OperationTally>();

  readonly count = ({ operation, rawResponse: { status }, took }: Exchange): void => {
    const id = operation?.id ?? 'none';
    const tally = this.tallies.get(id) ?? { statuses: new Map<number, number>(), seconds: 0 };
    this.tallies.set(id, tally);
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    tally.seconds += took / 1_000;
  };
}
