import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Client, ClientResponse } from '../client/client.ts';
import { verifySignature } from '../webhooks/signature.ts';

type NewDestination = ClientResponse<'createWebhook'>;

/** A webhook event as it arrived. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly type: string;
  readonly created: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The body, byte for byte, for code under test that verifies the signature itself. */
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

export interface ReceiverOptions {
  /** Topics of the destination. Default: all. */
  readonly topics?: readonly string[];
  /** Whether it receives the events of connected accounts instead. */
  readonly connect?: boolean;
  /** Status of the response to each event. Default: 204. */
  readonly respond?: (event: ReceivedWebhook) => number;
}

/** A receiver in this process, with its destination in the world. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly destinationId: string;
  readonly secret: string;
  /** All events that arrived, repetitions included, oldest first. */
  readonly received: readonly ReceivedWebhook[];
  /** Those of them that the secret signed. */
  readonly verified: readonly ReceivedWebhook[];
  /**
   * Returns the oldest event that it has not returned yet, waiting for it if need be.
   *
   * @param timeoutMs how long to wait. @units milliseconds, 10,000 by default
   * @throws Error when the time is up
   */
  next(timeoutMs?: number): Promise<ReceivedWebhook>;
  /** Deletes the destination and stops listening. */
  close(): Promise<void>;
}

const PATIENCE_MS = 10_000;
/** The age of a signature is the sender's matter: a world's clock can be at any time. */
const ANY_AGE = { toleranceSeconds: Number.MAX_SAFE_INTEGER };

/** Listens on loopback, and registers it as a destination. */
export async function openReceiver({ call }: Client, options: ReceiverOptions): Promise<Receiver> {
  const { topics = ['*'], connect = false, respond = () => 204 } = options;
  const arrivals = new Arrivals().setMaxListeners(0);
  const server = createServer(async (request, response) => {
    const event = await eventIn(request);
    arrivals.add(event);
    response.writeHead(respond(event)).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve).unref();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const body = { url, topics: [...topics], connect };
  const { id, secret } = (await call('createWebhook', { body })) as NewDestination;
  const isGenuine = ({ body: bytes, headers }: ReceivedWebhook) =>
    verifySignature(bytes, signatureOf(headers), secret, ANY_AGE).valid;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    // A reset may have deleted it.
    await call('deleteWebhook', { path: { webhookId: id } }).catch(() => {});
  };
  return {
    url,
    destinationId: id,
    secret,
    received: arrivals.all,
    get verified() {
      return arrivals.all.filter(isGenuine);
    },
    next: (timeoutMs = PATIENCE_MS) => arrivals.next(timeoutMs),
    close,
    [ASYNC_DISPOSE]: close,
  };
}

/** Events in the order of their arrival. Whoever waits for the next one is told of each. */
class Arrivals extends EventEmitter {
  readonly all: ReceivedWebhook[] = [];
  #returned = 0;

  add(event: ReceivedWebhook): void {
    this.all.push(event);
    this.emit('arrival');
  }

  async next(timeoutMs: number): Promise<ReceivedWebhook> {
    const place = this.#returned;
    this.#returned += 1;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      while (this.all.length <= place) await once(this, 'arrival', { signal: late.signal });
    } catch {
      this.#returned -= 1;
      throw new Error(
        `No further webhook event arrived within ${timeoutMs} ms; ${place} arrived before.`,
      );
    } finally {
      clearTimeout(timer);
    }
    return this.all[place] as ReceivedWebhook;
  }
}

async function eventIn(request: IncomingMessage): Promise<ReceivedWebhook> {
  const body = await buffer(request);
  return { ...JSON.parse(body.toString('utf8')), body, headers: request.headers };
}

const signatureOf = (headers: IncomingHttpHeaders): string | undefined => {
  const name = Object.keys(headers).find((each) => each.endsWith('-signature'));
  return name && String(headers[name]);
};

/** The contexts of Vitest's `vm` pools have no such symbol before Node 24. Compiled `await using` then looks for this one. */
export const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
