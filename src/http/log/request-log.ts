import type { World } from '../../state/world.ts';
import type { Exchange, ExchangeListener } from './exchange.ts';
import { compileMatch, type ExchangeMatch } from './exchange-match.ts';
import {
  type LogMark,
  type LogPart,
  type LogRange,
  RequestStore,
  type StoreLimits,
} from './request-store.ts';

/**
 * The latest exchanges with the service's interface, each with the commit it made. It keeps what they refer
 * to and renders nothing, so that keeping them costs next to nothing.
 *
 * @assumes A-1404
 */
export class RequestLog {
  readonly #store: RequestStore;
  readonly #listeners = new Set<ExchangeListener>();

  constructor(limits: StoreLimits) {
    this.#store = new RequestStore(limits);
  }

  /** Takes in an exchange that counts as a request, or one that moved its world. */
  record(exchange: Exchange): void {
    this.#store.add(exchange);
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
    return this.#store
      .of(world)
      .filter((exchange) => !exchange.isMove && exchange.ordinal > after)
      .filter((exchange) => judge(exchange).length === 0)
      .reverse();
  }

  /** Where the log of a world stands. */
  mark(world: World): LogMark {
    return this.#store.mark(world);
  }

  /** All that is kept of a part of a world's log, oldest first, moves of the world among it. */
  part(world: World, range: LogRange): LogPart {
    return this.#store.part(world, range);
  }

  clear(world: World): void {
    this.#store.clear(world);
  }
}
