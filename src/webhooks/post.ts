import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { SecureContext } from 'node:tls';
import type { DeliveryResponse, HeaderTexts } from '../store/records.ts';
import { guardedLookup, openGuarded, type Resolve } from './egress.ts';

/** Maximum length of a response that is read, as each is kept. @units bytes */
export const RESPONSE_LIMIT = 4_096;

interface WebhookPost {
  readonly url: string;
  readonly headers: HeaderTexts;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface PostOutcome {
  readonly status_code: number | null;
  /** The error, or null for a success. */
  readonly error: string | null;
  readonly duration_ms: number;
  readonly response: DeliveryResponse | null;
}

/** Sends webhook requests, until it is closed. */
export interface Poster {
  /** Never throws. */
  post(posting: WebhookPost): Promise<PostOutcome>;
  close(): void;
}

/** Maximum time of a request. @units milliseconds of machine time. @assumes A-1204 */
export const TIMEOUT = 15_000;

/** Shorter than most servers keep an idle connection, so that they rarely close it under a request. */
const IDLE_CONNECTION = 3_000;

/**
 * Creates a poster. It connects to no forbidden address, follows no redirect, and keeps no process alive.
 *
 * @param trusted the authorities of receivers with https. Default: those of Node
 * @assumes A-1201, A-1204
 */
export function createPoster(resolve?: Resolve, trusted?: SecureContext): Poster {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION, maxFreeSockets: 64 };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  const connecting = {
    lookup: guardedLookup(resolve),
    ...(trusted && { secureContext: trusted }),
  };
  return {
    async post(posting) {
      const start = performance.now();
      const ended = await exchange(posting, agents, connecting);
      return { ...ended, duration_ms: Math.round(performance.now() - start) };
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Agents = Readonly<Record<'http:' | 'https:', http.Agent>>;

/** How connections are opened. */
interface Connecting {
  readonly lookup: LookupFunction;
  readonly secureContext?: SecureContext;
}

type Ended = Omit<PostOutcome, 'duration_ms'>;

function exchange(posting: WebhookPost, agents: Agents | undefined, connecting: Connecting) {
  return new Promise<Ended>((resolve) => {
    const fail = (error: Error) =>
      resolve({ status_code: null, error: describe(error), response: null });
    try {
      const request = open(posting, agents, connecting);
      const timer = setTimeout(() => request.destroy(new Error(LATE)), TIMEOUT);
      timer.unref();
      request.on('close', () => clearTimeout(timer));
      request.on('error', (error) => {
        const wasClosed = request.reusedSocket && BROKEN.has((error as ErrorWithCode).code ?? '');
        if (wasClosed) resolve(exchange(posting, undefined, connecting));
        else fail(error);
      });
      request.on('response', (response) => {
        readResponse(response, (read) => resolve({ ...outcomeOf(response), response: read }));
      });
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ ...outcomeOf(response), response: null });
      });
      request.end(posting.body);
    } catch (error) {
      fail(error as Error);
    }
  });
}

type ErrorWithCode = Error & { readonly code?: string };

/** Errors of a kept connection that the server closed as it was reused. The request is sent again. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

export const LATE = `No response within ${TIMEOUT / 1000} s.`;

function open(
  { url: address, headers, body, signal }: WebhookPost,
  agents: Agents | undefined,
  connecting: Connecting,
): ClientRequest {
  const url = new URL(address);
  const request = openGuarded(url, {
    method: 'POST',
    agent: agents?.[url.protocol as keyof Agents] ?? false,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    ...connecting,
    signal,
  });
  return request.on('socket', (socket) => socket.unref());
}

/** Reads a response up to its end or the limit. If it stops early, the part received is kept. */
function readResponse(response: IncomingMessage, done: (read: DeliveryResponse) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (truncated: boolean): void => {
    const bytes = Buffer.concat(chunks).subarray(0, RESPONSE_LIMIT);
    done({ headers: headerTexts(response.headers), body: bytes.toString('utf8'), truncated });
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > RESPONSE_LIMIT) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => finish(!response.complete || length > RESPONSE_LIMIT));
}

export function headerTexts(headers: IncomingMessage['headers']): HeaderTexts {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts);
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Omit<Ended, 'response'> {
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
  const error = errorOf(status);
  return {
    status_code: status,
    error: isRedirect ? `${error} Redirects are not followed.` : error,
  };
}

/** The error of a receiver that responds with a status; null for a success. */
export const errorOf = (status: number): string | null =>
  status >= 200 && status < 300 ? null : `Responded with ${status}.`;

/** Returns the message of a failed request, with one part for each address tried. */
function describe(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(({ message }: Error) => message).join('; ');
  return error.message;
}
