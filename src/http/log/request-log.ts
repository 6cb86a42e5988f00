import type { Settings } from '../../config/settings.ts';
import type { World } from '../../state/world.ts';
import type { Exchange, ExchangeListener } from './exchange.ts';
import { compileMatch, type ExchangeMatch } from './exchange-match.ts';

/** How many exchanges are kept of one world, and how many bytes of all worlds together. */
type Limits = Pick<Settings, 'request_log' | 'request_log_bytes'>;

interface Entry {
  /** Absent once it is dropped, so that a queue that still has the entry holds nothing more of it. */
  exchange: Exchange | undefined;
  readonly bytes: number;
  readonly log: WorldLog;
  /** Its place among all that its log ever held, from 1. */
  readonly position: number;
}

/** A place in a log: behind so many entries, behind the request with this ordinal. */
export interface LogMark {
  readonly position: number;
  readonly ordinal: number;
}

/** A part of a log, by ordinals or by marks; what is absent is where the log begins or ends. */
export interface LogRange {
  /** Only what came after the request with this ordinal. */
  readonly after?: number;
  /** Only what came up to the request with this ordinal. */
  readonly until?: number;
  readonly from?: LogMark;
  readonly to?: LogMark;
}

export interface LogPart {
  readonly exchanges: readonly Exchange[];
  /** Ordinal of the last request that belongs to it and is kept no more; absent where it is whole. */
  readonly lost?: number;
}

/** What is kept for one world, oldest first. */
interface WorldLog {
  readonly entries: Queue<Entry>;
  /** Behind the last entry that it ever held. */
  end: LogMark;
  /** Behind the last entry that it dropped for want of room. */
  dropped: LogMark;
  /** Behind the last entry that it held when it was cleared. */
  cleared: LogMark;
}

const BEGINNING: LogMark = { position: 0, ordinal: 0 };

/** What an exchange holds beside what was sent and answered: itself, and rows that nothing else may hold any more. */
const BYTES_OF_EXCHANGE = 1_024;
const BYTES_OF_CHANGE = 512;

/**
 * The latest exchanges with the service's interface, each with the commit it made; the oldest are forgotten where they
 * become too many. It keeps what they refer to and renders nothing, so that keeping them costs next to nothing.
 *
 * @assumes A-1404
 */
export class RequestLog {
  readonly #listeners = new Set<ExchangeListener>();
  readonly #all = new Queue<Entry>();
  readonly #keeping = {
    name: 'requests',
    open: (): WorldLog => ({
      entries: new Queue<Entry>(),
      ...{ end: BEGINNING, dropped: BEGINNING, cleared: BEGINNING },
    }),
    clear: (log: WorldLog) => {
      this.#forget(log);
      // A world that is replaced counts its requests anew.
      Object.assign(log, { end: BEGINNING, dropped: BEGINNING, cleared: BEGINNING });
    },
    close: (log: WorldLog) => this.#forget(log),
  };
  #bytes = 0;
  #live = 0;

  constructor(private readonly limits: Limits) {}

  /** Takes in an exchange that counts as a request, or one that moved its world. */
  record(exchange: Exchange): void {
    if (this.limits.request_log > 0) this.#add(exchange);
    if (!exchange.isMove) for (const listener of this.#listeners) listener(exchange);
  }

  /** Calls a listener after every exchange with any world; answers how to stop. */
  onExchange(listener: ExchangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The exchanges of a world that fit, newest first. */
  list(world: World, match: ExchangeMatch = {}, after = 0): readonly Exchange[] {
    const judge = compileMatch(match);
    const { entries } = world.local(this.#keeping);
    return entries
      .toArray()
      .map(({ exchange }) => exchange as Exchange)
      .filter((exchange) => !exchange.isMove && exchange.ordinal > after)
      .filter((exchange) => judge(exchange).length === 0)
      .reverse();
  }

  #add(exchange: Exchange): void {
    const log = exchange.world.local(this.#keeping);
    const position = log.end.position + 1;
    const entry: Entry = { exchange, bytes: bytesOf(exchange), log, position };
    log.end = { position, ordinal: Math.max(log.end.ordinal, exchange.ordinal) };
    log.entries.push(entry);
    this.#all.push(entry);
    this.#bytes += entry.bytes;
    this.#live += 1;
    if (log.entries.length > this.limits.request_log) this.#dropFirst(log);
    while (this.#bytes > this.limits.request_log_bytes) this.#dropOldest();
    if (this.#all.length > 2 * this.#live + 64) this.#all.keep(isHeld);
  }

  /** Where the log of a world stands. */
  mark(world: World): LogMark {
    const { end } = world.local(this.#keeping);
    return { ...end, ordinal: world.requests };
  }

  /** All that is kept of a part of a world's log, oldest first, moves of the world among it. */
  part(world: World, range: LogRange): LogPart {
    const log = world.local(this.#keeping);
    const { from, to, after = from ? 0 : log.cleared.ordinal, until = Infinity } = range;
    const exchanges = log.entries
      .toArray()
      .filter(({ position }) => position > (from?.position ?? 0))
      .filter(({ position }) => position <= (to?.position ?? Infinity))
      .map(({ exchange }) => exchange as Exchange)
      .filter((each) => (each.isMove ? each.ordinal >= after : each.ordinal > after))
      .filter(({ ordinal }) => ordinal <= until);
    const lost = [log.dropped, log.cleared].filter((gone) =>
      from ? gone.position > from.position : gone.ordinal > after,
    );
    const last = Math.max(0, ...lost.map(({ ordinal }) => ordinal));
    return { exchanges, ...(lost.length > 0 && { lost: last }) };
  }

  clear(world: World): void {
    const log = world.local(this.#keeping);
    this.#forget(log);
    log.cleared = log.end;
  }

  #dropOldest(): void {
    const entry = this.#all.shift() as Entry;
    if (isHeld(entry)) this.#dropFirst(entry.log);
  }

  /** The oldest of all is the oldest of its world, so both queues lose from their front alone. */
  #dropFirst(log: WorldLog): void {
    const entry = log.entries.shift() as Entry;
    const { position, exchange } = entry;
    const ordinal = Math.max(log.dropped.ordinal, exchange?.ordinal ?? 0);
    log.dropped = { position, ordinal };
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

function bytesOf({ rawRequest, requestBody, rawResponse }: Exchange): number {
  const { path, search, headers } = rawRequest;
  const changes = rawResponse.changes?.length ?? 0;
  let bytes = BYTES_OF_EXCHANGE + changes * BYTES_OF_CHANGE;
  bytes += path.length + search.length + requestBody.length + rawResponse.text.length;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
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
