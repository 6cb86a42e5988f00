import type { World } from '../../state/world.ts';
import type { Exchange, ExchangeListener } from './exchange.ts';
import { compileMatch, type ExchangeMatch, type Judgement } from './exchange-match.ts';
import { RequestStore, type StoreLimits } from './request-store.ts';

/** What is waited for. */
export interface Wish {
  readonly match: ExchangeMatch;
  /** How many must fit. */
  readonly count: number;
  /** Ordinal after which requests count; those already in the log do too. */
  readonly after: number;
  readonly timeoutMs: number;
}

export type WaitOutcome =
  | { readonly met: true; readonly found: readonly Exchange[] }
  /** Given up, with those that came nearest. */
  | { readonly met: false; readonly found: readonly Exchange[]; readonly nearest: readonly Near[] };

/** A request that was not the one waited for, and what in it differs. */
export interface Near {
  readonly exchange: Exchange;
  readonly differs: readonly string[];
}

interface Waiter {
  offer(exchange: Exchange): void;
  giveUp(): void;
}

const MOST_NEAREST = 3;

/**
 * The latest exchanges with the service's interface, each with the commit it made. It keeps what they refer
 * to and renders nothing, so that keeping them costs next to nothing.
 *
 * @assumes A-1404
 */
export class RequestLog {
  readonly #store: RequestStore;
  readonly #listeners = new Set<ExchangeListener>();
  readonly #waiting = {
    name: 'waiting for requests',
    open: () => new Set<Waiter>(),
    close: (waiters: Set<Waiter>) => {
      for (const waiter of [...waiters]) waiter.giveUp();
    },
  };

  constructor(limits: StoreLimits) {
    this.#store = new RequestStore(limits);
  }

  record(exchange: Exchange): void {
    this.#store.add(exchange);
    for (const waiter of [...exchange.world.local(this.#waiting)]) waiter.offer(exchange);
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
      .filter((exchange) => exchange.ordinal > after && judge(exchange).fits)
      .reverse();
  }

  clear(world: World): void {
    this.#store.clear(world);
  }

  /** Answers once enough requests fit, or after the time given. */
  wait(world: World, { match, count, after, timeoutMs }: Wish): Promise<WaitOutcome> {
    const judge = compileMatch(match);
    const fits = (exchange: Exchange) => exchange.ordinal > after && judge(exchange).fits;
    const found = this.#store.of(world).filter(fits);
    if (found.length >= count) return Promise.resolve({ met: true, found: found.reverse() });
    const waiters = world.local(this.#waiting);
    return new Promise((resolve) => {
      const end = (outcome: WaitOutcome): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(outcome);
      };
      const waiter: Waiter = {
        offer(exchange) {
          if (fits(exchange)) found.push(exchange);
          if (found.length >= count) end({ met: true, found: found.reverse() });
        },
        giveUp: () =>
          end({ met: false, found: found.reverse(), nearest: this.#nearest(world, judge, after) }),
      };
      const timer = setTimeout(() => waiter.giveUp(), timeoutMs);
      waiters.add(waiter);
    });
  }

  #nearest(world: World, judge: (exchange: Exchange) => Judgement, after: number): Near[] {
    return this.#store
      .of(world)
      .filter(({ ordinal }) => ordinal > after)
      .reverse()
      .map((exchange) => ({ exchange, differs: judge(exchange).differs }))
      .filter(({ differs }) => differs.length > 0)
      .sort((left, right) => left.differs.length - right.differs.length)
      .slice(0, MOST_NEAREST);
  }
}
