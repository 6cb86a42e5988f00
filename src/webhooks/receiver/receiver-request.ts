import type { ClientRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { guardedLookup, openGuarded } from '../egress.ts';
import { RESPONSE_LIMIT } from '../response-bounds.ts';

export interface ReceiverPost {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the body is sent in pieces, with a pause after each. */
  readonly slowly?: boolean | undefined;
  /** @units milliseconds */
  readonly timeout: number;
}

/** The outcome of a request: a response, or the reason there is none. */
export interface ReceiverAnswer {
  readonly status_code: number | null;
  readonly text: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/**
 * Sends one request on its own connection. Follows no redirect and never throws. Like deliveries, it connects
 * to no forbidden address.
 *
 * @assumes A-1201, A-1204
 */
export function postToReceiver(posting: ReceiverPost): Promise<ReceiverAnswer> {
  const start = performance.now();
  let request: ClientRequest;
  try {
    request = open(posting);
  } catch (error) {
    const reason = (error as Error).message;
    return Promise.resolve({ status_code: null, text: '', error: reason, duration_ms: 0 });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let status_code: number | null = null;
    const end = (error: string | null) => {
      clearTimeout(timer);
      request.destroy();
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status_code, text, error, duration_ms: Math.round(performance.now() - start) });
    };
    const late = `no whole answer within ${posting.timeout} ms`;
    const timer = setTimeout(() => end(late), posting.timeout);
    request.on('error', (error) => end(reasonOf(error)));
    request.on('upgrade', ({ statusCode = null }, socket) => {
      status_code = statusCode;
      socket.destroy();
      end(null);
    });
    request.on('response', (response) => {
      status_code = response.statusCode ?? null;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= RESPONSE_LIMIT) chunks.push(chunk);
        else end(null);
      });
      response.on('end', () => end(null));
      response.on('error', () => end('the connection broke within the answer'));
    });
    void write(request, posting);
  });
}

function open({ url, method = 'POST', headers, body }: ReceiverPost): ClientRequest {
  const all = method === 'GET' ? headers : { ...headers, 'Content-Length': body.length };
  return openGuarded(new URL(url), { method, headers: all, agent: false, lookup: guardedLookup() });
}

const PIECES = 8;
/** @units milliseconds */
const PAUSE = 100;

/** Sends the body, whole or in pieces. If the receiver disconnects, the request reports the error. */
async function write(request: ClientRequest, { body, slowly }: ReceiverPost): Promise<void> {
  request.setNoDelay(true);
  if (!slowly) {
    request.end(body);
    return;
  }
  const size = Math.ceil(body.length / PIECES);
  let start = 0;
  while (start < body.length && !request.destroyed) {
    const next = cutAfter(body, start + size);
    request.write(body.subarray(start, next));
    start = next;
    await wait(PAUSE);
  }
  if (!request.destroyed) request.end();
}

/** The first position from `start` on that is inside a character, else the end. */
function cutAfter(body: Buffer, start: number): number {
  const place = body.subarray(start).findIndex((byte) => (byte & 0xc0) === 0x80);
  return place < 0 ? body.length : start + place;
}

const reasonOf = (error: Error & { readonly code?: string }): string =>
  error.message || error.code || 'the connection failed';
