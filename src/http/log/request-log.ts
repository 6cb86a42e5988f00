import type { World } from '../../state/world.ts';
import type { Exchange, ExchangeListener } from './exchange.ts';
import { compileMatch, type ExchangeMatch } from './exchange-match.ts';
import { RequestStore, type StoreLimits } from './request-store.ts';

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

  record(exchange: Exchange): void {
    this.#store.add(exchange);
    for (const listener of this.#listeners) listener(exchange);
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
      .filter((exchange) => exchange.ordinal > after && judge(exchange).length === 0)
      .reverse();
  }

  clear(world: World): void {
    this.#store.clear(world);
  }
}
