import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { toMillis } from '../domain/instant.ts';
import type { World } from '../state/world.ts';
import type { Arrival, Door, Incoming } from './door.ts';
import { type Outgoing, problem } from './problem.ts';

/** One finished exchange, as listeners are told of it. */
export interface Exchange {
  readonly incoming: Incoming;
  readonly requestBody: Buffer;
  readonly outgoing: Outgoing;
  readonly arrival: Arrival;
}

export interface AppOptions {
  /** The door that a path leads to; undefined hands the request on. */
  readonly doorOf: (path: string) => Door | undefined;
  /** Pages, documents and everything else that no document names. */
  readonly otherwise: RequestListener;
}

const NO_BYTES = Buffer.alloc(0);
const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Answers on Node's own request and response: bytes in, reply out. What no document names goes on to
 * `otherwise`.
 */
export function createApp({ doorOf, otherwise }: AppOptions): RequestListener {
  return (request, response) => {
    const incoming = readIncoming(request);
    const door = doorOf(incoming.path);
    if (!door) {
      otherwise(request, response);
      return;
    }
    const arrival = door.arrive(incoming);
    if (arrival.kind === 'answered' || arrival.bodyLimit === undefined) {
      request.resume();
      finish(door, incoming, arrival, NO_BYTES, response);
      return;
    }
    readBytes(request, arrival.bodyLimit, (bytes) => {
      if (bytes) finish(door, incoming, arrival, bytes, response);
      else refuseLarge(arrival, incoming, response);
    });
  };
}

function readIncoming(request: IncomingMessage): Incoming {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
  };
}

/** Reads a body up to a limit; answers nothing where it is larger, and never where the client went away. */
function readBytes(request: IncomingMessage, limit: number, done: (bytes?: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  });
  request.on('end', () => {
    if (length > limit) done();
    else done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
}

function refuseLarge(
  arrival: Extract<Arrival, { kind: 'operation' }>,
  incoming: Incoming,
  response: ServerResponse,
): void {
  const outgoing = problem(413, `Expected at most ${arrival.bodyLimit} bytes.`);
  send(response, incoming, arrival, outgoing);
}

function finish(
  door: Door,
  incoming: Incoming,
  arrival: Arrival,
  bytes: Buffer,
  response: ServerResponse,
): void {
  const outgoing = door.answer(incoming, arrival, bytes);
  if (outgoing instanceof Promise)
    void outgoing.then((later) => send(response, incoming, arrival, later));
  else send(response, incoming, arrival, outgoing);
}

function send(
  response: ServerResponse,
  incoming: Incoming,
  arrival: Arrival,
  { status, headers, text }: Outgoing,
): void {
  const world = arrival.caller?.world;
  const all: Record<string, string | number> = { ...headers };
  const requestId = requestIdOf(incoming, world);
  if (requestId !== undefined) all['X-Request-Id'] = requestId;
  if (world) all['Date'] = httpDate(world);
  if (arrival.kind === 'operation' && arrival.operation.assumptions.length > 0)
    all['X-Emulator-Assumptions'] = arrival.operation.assumptions.join(', ');
  if (status !== 204 && status !== 304) all['Content-Length'] = Buffer.byteLength(text);
  response.writeHead(status, all);
  response.end(incoming.method === 'HEAD' ? undefined : text);
}

/** The caller's own request id, else one from the world's request ordinal. @assumes A-205 */
function requestIdOf(incoming: Incoming, world: World | undefined): string | undefined {
  if (world) world.requests += 1;
  const own = incoming.headers['x-request-id'];
  if (typeof own === 'string' && SANE_REQUEST_ID.test(own)) return own;
  return world && `req_${world.requests}`;
}

let dateSecond = -1;
let dateText = '';

/** The world's time as a Date header; most answers share a second. */
function httpDate(world: World): string {
  const second = Math.floor(toMillis(world.now) / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
