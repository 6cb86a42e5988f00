import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

interface ReceiverPost {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the body is sent in pieces, with a pause after each. */
  readonly isSlow?: boolean | undefined;
  /** @units milliseconds */
  readonly timeout: number;
}

/** The outcome of a request: a response, or the reason there is none. */
export interface ReceiverResponse {
  readonly status_code: number | null;
  readonly text: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** The part of a response that is read. @units bytes */
const MAX_RESPONSE = 65_536;

/** Sends one request on its own connection. Follows no redirect and never throws. */
export function sendToReceiver(post: ReceiverPost): Promise<ReceiverResponse> {
  const { url, method, headers, body, timeout } = post;
  const open = url.startsWith('https:') ? requestSecurely : requestPlainly;
  const length = method === 'GET' ? {} : { 'Content-Length': body.length };
  const request = open(url, { method, headers: { ...headers, ...length }, agent: false });
  const start = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let read = 0;
    let status_code: number | null = null;
    const end = (error: string | null) => {
      clearTimeout(timer);
      request.destroy();
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status_code, text, error, duration_ms: Math.round(performance.now() - start) });
    };
    const timer = setTimeout(() => end(`no complete response within ${timeout} ms`), timeout);
    request.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      end(message || code || 'the connection failed'),
    );
    request.on('response', (response) => {
      status_code = response.statusCode ?? null;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read <= MAX_RESPONSE) chunks.push(chunk);
        else end(null);
      });
      response.on('end', () => end(null));
      response.on('error', () => end('the connection broke within the response'));
    });
    if (post.isSlow) void writeSlowly(request, body);
    else request.end(body);
  });
}

const PIECES = 8;
/** @units milliseconds */
const PAUSE = 100;

/** Sends the body in pieces. If the receiver disconnects, the request reports the error. */
async function writeSlowly(
  request: ReturnType<typeof requestPlainly>,
  body: Buffer,
): Promise<void> {
  request.setNoDelay(true);
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
