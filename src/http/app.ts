import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { toMillis } from '../domain/instant.ts';
import type { OperationSpec } from '../spec/document.ts';
import type { World } from '../state/world.ts';
import type { Arrival, Door, Incoming } from './door.ts';
import type { ExchangeListener } from './exchange.ts';
import { endConnection } from './faults/connection.ts';
import type { FaultDesk } from './faults/desk.ts';
import type { Departure } from './faults/waits.ts';
import { type Outgoing, problem } from './problem.ts';

/** A door, and who is told of the exchanges that went through it. */
export interface Entrance {
  readonly door: Door;
  /** Told of each exchange with a world; where it is absent they do not count as its requests. */
  readonly onExchange?: ExchangeListener;
  /** Where its requests meet faults; they meet none where it is absent. */
  readonly faults?: FaultDesk;
}

export interface AppOptions {
  /** The entrance that a path leads to; undefined hands the request on. */
  readonly entranceTo: (path: string) => Entrance | undefined;
  /** Pages, documents and everything else that no document names. */
  readonly otherwise: RequestListener;
}

const NO_BYTES = Buffer.alloc(0);
const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Answers on Node's own request and response: bytes in, reply out. What no document names goes on to
 * `otherwise`.
 */
export function createApp({ entranceTo, otherwise }: AppOptions): RequestListener {
  return (request, response) => {
    const incoming = readIncoming(request);
    const entrance = entranceTo(incoming.path);
    if (!entrance) {
      otherwise(request, response);
      return;
    }
    const arrival = entrance.door.arrive(incoming);
    const passage = { entrance, incoming, arrival, response };
    if (arrival.kind === 'answered' || arrival.bodyLimit === undefined) {
      request.resume();
      finish(passage, NO_BYTES);
      return;
    }
    readBytes(request, arrival.bodyLimit, (bytes) => finish(passage, bytes));
  };
}

/** One request on its way through. */
interface Passage {
  readonly entrance: Entrance;
  readonly incoming: Incoming;
  readonly arrival: Arrival;
  readonly response: ServerResponse;
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

/** Answers a request whose body was read, or was too large to be. */
function finish(passage: Passage, bytes: Buffer | undefined): void {
  const { entrance, incoming, arrival, response } = passage;
  const ordinal = entrance.onExchange ? countRequest(arrival.caller?.world) : undefined;
  const proceed = () =>
    bytes ? entrance.door.answer(incoming, arrival, bytes) : tooLarge(arrival);
  const departure = departureOf(response);
  const request = { incoming, arrival, body: bytes, departure, proceed };
  const outgoing = entrance.faults?.answer(request) ?? proceed();
  const answer = (later: Outgoing | undefined) => {
    if (later) send(passage, bytes ?? NO_BYTES, ordinal, later);
    else response.destroy();
  };
  if (outgoing instanceof Promise) void outgoing.then(answer);
  else answer(outgoing);
}

/** Tells when a client leaves before it was answered. */
function departureOf(response: ServerResponse): Departure {
  return (listener) => {
    response.once('close', listener);
    return () => response.off('close', listener);
  };
}

function tooLarge(arrival: Arrival): Outgoing {
  const limit = arrival.kind === 'operation' ? arrival.bodyLimit : undefined;
  return problem(413, `Expected at most ${limit} bytes.`);
}

function countRequest(world: World | undefined): number | undefined {
  if (!world) return undefined;
  world.requests += 1;
  return world.requests;
}

function send(
  { entrance, incoming, arrival, response }: Passage,
  requestBody: Buffer,
  ordinal: number | undefined,
  outgoing: Outgoing,
): void {
  const world = arrival.caller?.world;
  const requestId = requestIdOf(incoming, ordinal);
  const headers: Record<string, string | number> = {};
  for (const name in outgoing.headers) headers[name] = outgoing.headers[name] as string;
  if (requestId !== undefined) headers['X-Request-Id'] = requestId;
  if (world) headers['Date'] = httpDate(world);
  const assumptions = arrival.kind === 'operation' ? assumptionsOf(arrival.operation) : '';
  if (assumptions !== '') headers['X-Emulator-Assumptions'] = assumptions;
  write(response, incoming.method, outgoing, headers);
  if (!world || ordinal === undefined || requestId === undefined) return;
  const { now: at } = world;
  const told = { ordinal, world, at, requestId, incoming, requestBody, outgoing, arrival };
  entrance.onExchange?.(told);
}

function write(
  response: ServerResponse,
  method: string,
  { status, text, pieces, fault }: Outgoing,
  headers: Record<string, string | number>,
): void {
  if (pieces) {
    response.writeHead(status, headers);
    if (method === 'HEAD') response.end();
    // One that fails midway ends the connection, so that nobody takes a part for the whole.
    else pipeline(Readable.from(inTurns(pieces)), response, () => {});
    return;
  }
  if (status !== 204 && status !== 304) headers['Content-Length'] = Buffer.byteLength(text);
  if (fault?.connection) {
    const body = method === 'HEAD' ? '' : text;
    endConnection(response, fault.connection, { status, headers, text: body });
    return;
  }
  response.writeHead(status, headers);
  response.end(method === 'HEAD' ? undefined : text);
}

/** Lets others be served between any two pieces. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await turn();
  }
}

const assumptionTexts = new WeakMap<OperationSpec, string>();

/** What an operation's answers rely on, as their header says it. */
function assumptionsOf(operation: OperationSpec): string {
  let text = assumptionTexts.get(operation);
  if (text === undefined) {
    text = operation.assumptions.join(', ');
    assumptionTexts.set(operation, text);
  }
  return text;
}

/** The caller's own request id, else one from the world's request ordinal. @assumes A-205 */
function requestIdOf(incoming: Incoming, ordinal: number | undefined): string | undefined {
  const own = incoming.headers['x-request-id'];
  if (typeof own === 'string' && SANE_REQUEST_ID.test(own)) return own;
  return ordinal === undefined ? undefined : `req_${ordinal}`;
}

const SECOND_LENGTH = '2026-01-31T10:00:00'.length;
let dateSecond = '';
let dateText = '';

/** The world's time as a Date header; most answers share a second. */
function httpDate({ now }: World): string {
  if (!now.startsWith(dateSecond) || dateSecond === '') {
    dateSecond = now.slice(0, SECOND_LENGTH);
    dateText = new Date(toMillis(now)).toUTCString();
  }
  return dateText;
}
