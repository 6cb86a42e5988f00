import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { toMillis } from '../domain/instant.ts';
import type { OperationSpec } from '../spec/document.ts';
import type { World } from '../state/world.ts';
import type { ApiPipeline, RawRequest, RoutedRequest } from './api-pipeline.ts';
import { endConnection } from './faults/connection.ts';
import type { FaultInjector } from './faults/fault-injector.ts';
import type { OnClientClose } from './faults/waits.ts';
import type { ExchangeListener } from './log/exchange.ts';
import { problem, type RawResponse } from './problem.ts';

/** An API, and who is told of the exchanges that went through it. */
export interface MountedApi {
  readonly pipeline: ApiPipeline;
  /** Told of each exchange with a world; where it is absent they do not count as its requests. */
  readonly onExchange?: ExchangeListener;
  /** Where its requests meet faults; they meet none where it is absent. */
  readonly faults?: FaultInjector;
}

export interface AppOptions {
  /** The api that a path leads to; undefined hands the request on. */
  readonly apiFor: (path: string) => MountedApi | undefined;
  /** Pages, documents and everything else that no document names. */
  readonly otherwise: RequestListener;
}

const NO_BYTES = Buffer.alloc(0);
const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Answers on Node's own request and response: bytes in, reply out. What no document names goes on to
 * `otherwise`.
 */
export function createApp({ apiFor, otherwise }: AppOptions): RequestListener {
  return (request, response) => {
    const rawRequest = readIncoming(request);
    const api = apiFor(rawRequest.path);
    if (!api) {
      otherwise(request, response);
      return;
    }
    const routed = api.pipeline.route(rawRequest);
    const context = { api, rawRequest, routed, response };
    if (routed.kind === 'answered' || routed.bodyLimit === undefined) {
      request.resume();
      finish(context, NO_BYTES);
      return;
    }
    readBytes(request, routed.bodyLimit, (bytes) => finish(context, bytes));
  };
}

/** One request on its way through. */
interface RequestContext {
  readonly api: MountedApi;
  readonly rawRequest: RawRequest;
  readonly routed: RoutedRequest;
  readonly response: ServerResponse;
}

function readIncoming(request: IncomingMessage): RawRequest {
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
function finish(context: RequestContext, bytes: Buffer | undefined): void {
  const { api, rawRequest, routed, response } = context;
  const ordinal = api.onExchange ? countRequest(routed.caller?.world) : undefined;
  const proceed = () => (bytes ? api.pipeline.handle(rawRequest, routed, bytes) : tooLarge(routed));
  const onClientClose = onClientCloseOf(response);
  const request = { rawRequest, routed, body: bytes, onClientClose, proceed };
  const rawResponse = api.faults?.answer(request) ?? proceed();
  const answer = (later: RawResponse | undefined) => {
    if (later) send(context, bytes ?? NO_BYTES, ordinal, later);
    else response.destroy();
  };
  if (rawResponse instanceof Promise) void rawResponse.then(answer);
  else answer(rawResponse);
}

/** Tells when a client leaves before it was answered. */
function onClientCloseOf(response: ServerResponse): OnClientClose {
  return (listener) => {
    response.once('close', listener);
    return () => response.off('close', listener);
  };
}

function tooLarge(routed: RoutedRequest): RawResponse {
  const limit = routed.kind === 'operation' ? routed.bodyLimit : undefined;
  return problem(413, `Expected at most ${limit} bytes.`);
}

function countRequest(world: World | undefined): number | undefined {
  if (!world) return undefined;
  world.requests += 1;
  return world.requests;
}

function send(
  { api, rawRequest, routed, response }: RequestContext,
  requestBody: Buffer,
  ordinal: number | undefined,
  rawResponse: RawResponse,
): void {
  const world = routed.caller?.world;
  const requestId = requestIdOf(rawRequest, ordinal);
  const headers: Record<string, string | number> = {};
  for (const name in rawResponse.headers) headers[name] = rawResponse.headers[name] as string;
  if (requestId !== undefined) headers['X-Request-Id'] = requestId;
  if (world) headers['Date'] = httpDate(world);
  const assumptions = routed.kind === 'operation' ? assumptionsOf(routed.operation) : '';
  if (assumptions !== '') headers['X-Emulator-Assumptions'] = assumptions;
  write(response, rawRequest.method, rawResponse, headers);
  if (!world || ordinal === undefined || requestId === undefined) return;
  const { now: at } = world;
  const told = { ordinal, world, at, requestId, rawRequest, requestBody, rawResponse, routed };
  api.onExchange?.(told);
}

function write(
  response: ServerResponse,
  method: string,
  { status, text, pieces, fault }: RawResponse,
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
function requestIdOf(rawRequest: RawRequest, ordinal: number | undefined): string | undefined {
  const own = rawRequest.headers['x-request-id'];
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
