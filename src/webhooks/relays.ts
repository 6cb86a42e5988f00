import { performance } from 'node:perf_hooks';
import type { HeaderTexts } from '../store/records.ts';
import type { World } from '../store/world.ts';
import { errorOf, LATE, type PostOutcome, RESPONSE_LIMIT, TIMEOUT } from './post.ts';

/** A delivery as a listener receives it. */
interface RelayedDelivery {
  readonly number: number;
  readonly headers: HeaderTexts;
  readonly body: string;
}

/** What the receiver behind a listener responded: a status, or the reason there is none. */
export interface RelayResponse {
  readonly status_code: number | null;
  readonly error: string | null;
  readonly body: string;
}

interface Relay {
  readonly world: World;
  readonly send: (delivery: RelayedDelivery) => void;
  /** Deliveries without a response yet, by number. */
  readonly waiting: Map<number, (answer: RelayResponse) => void>;
}

/** Matches the name of a listener, and its path as a destination. */
const RELAY_PATH = /^\/_emulator\/relay\/([a-z0-9-]{1,64})$/;

/** The name of a listener at a path, or undefined for any other path. */
export const relayNameOf = (path: string): string | undefined => RELAY_PATH.exec(path)?.[1];

const failed = (error: string): RelayResponse => ({ status_code: null, error, body: '' });

/**
 * Listeners that take deliveries by a connection of their own, so that the emulator need not reach them. Without its
 * listener, a delivery fails and is tried again, as with a receiver that is down.
 */
export class Relays {
  #count = 0;
  readonly #open = new Map<string, Relay>();

  /** Connects a listener, in place of an earlier one of the name. Returns what disconnects it. */
  open(name: string, world: World, send: Relay['send']): () => void {
    const relay = { world, send, waiting: new Map<number, (answer: RelayResponse) => void>() };
    this.#open.set(name, relay);
    return () => {
      if (this.#open.get(name) === relay) this.#open.delete(name);
      for (const end of relay.waiting.values()) end(failed('The listener disconnected.'));
    };
  }

  /** Gives the response to a delivery. Returns false if none of this number waits for one. */
  answer(name: string, world: World, number: number, answer: RelayResponse): boolean {
    const relay = this.#open.get(name);
    const end = relay?.world === world ? relay.waiting.get(number) : undefined;
    end?.(answer);
    return end !== undefined;
  }

  /** Sends a delivery to a listener. Never throws. */
  async post(
    name: string,
    world: World,
    { headers, body }: Pick<RelayedDelivery, 'headers' | 'body'>,
  ): Promise<PostOutcome> {
    const begun = performance.now();
    const relay = this.#open.get(name);
    const { status_code, error, ...response } =
      relay?.world === world
        ? await this.#ask(relay, { headers, body })
        : failed('No listener is connected.');
    return {
      status_code,
      error: status_code === null ? error : errorOf(status_code),
      duration_ms: Math.round(performance.now() - begun),
      response: status_code === null ? null : responseOf(response.body),
    };
  }

  #ask(relay: Relay, request: Omit<RelayedDelivery, 'number'>): Promise<RelayResponse> {
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve) => {
      const end = (answer: RelayResponse): void => {
        clearTimeout(timer);
        relay.waiting.delete(number);
        resolve(answer);
      };
      const timer = setTimeout(() => end(failed(LATE)), TIMEOUT);
      timer.unref();
      relay.waiting.set(number, end);
      relay.send({ number, ...request });
    });
  }
}

const responseOf = (body: string): PostOutcome['response'] => ({
  headers: {},
  body: body.slice(0, RESPONSE_LIMIT),
  truncated: body.length > RESPONSE_LIMIT,
});
