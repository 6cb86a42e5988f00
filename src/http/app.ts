import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { MachineTime } from '../config/machine-time.ts';
import { toMillis } from '../domain/instant.ts';
import type { OperationSpec } from '../spec/document.ts';
import type { World } from '../store/world.ts';
import { answerRequest } from './api-pipeline.ts';
import { readIncoming, serializePipelined, sourceOf, withoutOrigin } from './connection.ts';
import type { Exchange } from './log/exchange.ts';
import type { RequestLog } from './log/request-log.ts';
import { ABORTED, type RawRequest, type RawResponse } from './message.ts';
import type { OriginGuard } from './origin-guard.ts';
import { type Api, RequestContext, requestIdOf, sourceOfBytes } from './request-context.ts';
import { routeKind } from './router.ts';
import { isForwarded, sendWhole } from './whole-response.ts';

interface AppOptions {
  readonly originGuard: OriginGuard;
  readonly apis: { readonly service: Api; readonly control: Api };
  readonly machine: MachineTime;
  /** Records each exchange that counts as a request of its world, or that changed it from outside. */
  readonly requests: Pick<RequestLog, 'record'>;
  /** What emulators that share worlds do with a request before it is handled; absent if they do not. */
  readonly sharing?: Sharing | undefined;
  /** Handles pages, documents and all other paths outside the APIs. */
  readonly otherwise: RequestListener;
}

export interface Sharing {
  /** Gets the world of a request here before it is handled, or has another emulator respond. */
  route(exchange: RoutedExchange): void;
}

export interface RoutedExchange {
  readonly rawRequest: RawRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Handles the request here. */
  readonly handle: () => void;
}

/** Creates the request listener of the emulator. Requests that belong to no API go to `otherwise`. */
export function createApp(options: AppOptions): RequestListener {
  const { originGuard, sharing } = options;
  return serializePipelined((request, response) => {
    request.url = withoutOrigin(request.url ?? '/');
    const rawRequest = readIncoming(request);
    const rejection = isForwarded(request) ? undefined : originGuard(rawRequest);
    if (rejection) {
      request.resume();
      const refuse = (answer: RawResponse) =>
        write(response, rawRequest.method, answer, { ...answer.headers });
      if (rejection instanceof Promise) void rejection.then(refuse);
      else refuse(rejection);
      return;
    }
    const handle = () => respond(options, rawRequest, request, response);
    if (sharing) sharing.route({ rawRequest, request, response, handle });
    else handle();
  });
}

function respond(
  { apis, otherwise, requests, machine }: AppOptions,
  rawRequest: RawRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const arrival = arrivalAt(machine);
  const kind = routeKind(rawRequest.path);
  if (kind === 'page') {
    otherwise(request, response);
    return;
  }
  const context = new RequestContext(apis[kind], rawRequest, sourceOf(request, response));
  const send = (answer: RawResponse) => {
    // What still comes of a forwarded body is dropped with its frames.
    if (!isForwarded(request)) request.resume();
    sendAnswer(context, answer, response);
    const exchange = exchangeOf(context, answer, arrival);
    if (exchange) requests.record(exchange);
  };
  const answer = answerRequest(context);
  if (answer instanceof Promise) void answer.then(send);
  else send(answer);
}

interface Arrival {
  readonly receivedAt: number;
  readonly started: number;
}

const arrivalAt = (machine: MachineTime): Arrival => ({
  receivedAt: machine(),
  started: performance.now(),
});

/** Handles a request that the emulator's own pages send to an API, and records it like any other. */
export async function answerOwn(
  api: Api,
  { rawRequest, body }: { readonly rawRequest: RawRequest; readonly body: Buffer },
  { requests, machine }: Pick<AppOptions, 'requests' | 'machine'>,
): Promise<RawResponse> {
  const arrival = arrivalAt(machine);
  const context = new RequestContext(api, rawRequest, sourceOfBytes(body));
  const answer = await answerRequest(context);
  const exchange = exchangeOf(context, answer, arrival);
  if (exchange) requests.record(exchange);
  return answer;
}

function sendAnswer(context: RequestContext, answer: RawResponse, response: ServerResponse): void {
  const { rawRequest, caller, operation } = context;
  if (answer === ABORTED) {
    response.destroy();
    return;
  }
  const headers: Record<string, string | number> = {};
  for (const name in answer.headers) headers[name] = answer.headers[name] as string;
  const requestId = requestIdOf(context);
  if (requestId !== undefined) headers['X-Request-Id'] = requestId;
  if (caller) headers['Date'] = httpDate(caller.world);
  const assumptions = operation ? assumptionsOf(operation) : '';
  if (assumptions !== '') headers['X-Emulator-Assumptions'] = assumptions;
  write(response, rawRequest.method, answer, headers);
}

/** Returns the entry for the request log, or undefined if the request does not count. */
function exchangeOf(
  context: RequestContext,
  rawResponse: RawResponse,
  { receivedAt, started }: Arrival,
): Exchange | undefined {
  const { rawRequest, caller, operation, path, body: requestBody, changes } = context;
  if (!caller || rawResponse === ABORTED) return undefined;
  const isMove = operation?.isRecorded === true;
  const isDone = isMove && rawResponse.status < 300;
  const ordinal = context.ordinal ?? (isDone ? caller.world.requests : undefined);
  if (ordinal === undefined) return undefined;
  const requestId = requestIdOf({ rawRequest, ordinal }) as string;
  const { world, owner } = caller;
  // It was counted in a state that was replaced meanwhile, and its log with it.
  if (context.ordinal !== undefined && context.countedIn !== world.replacements) return undefined;
  const took = performance.now() - started;
  const at = context.at ?? world.now;
  const asked = { rawRequest, requestBody, operation, path, owner, isMove };
  return { ordinal, world, at, receivedAt, took, requestId, ...asked, rawResponse, changes };
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
    // A failure midway ends the connection, so that no client takes a part for the whole.
    else pipeline(Readable.from(interleaved(pieces)), response, () => {});
    return;
  }
  if (status !== 204 && status !== 304) headers['Content-Length'] = Buffer.byteLength(text);
  const body = method === 'HEAD' ? '' : text;
  sendWhole(response, { status, headers, text: body, ending: fault?.connection });
}

/** Lets other requests run between two pieces. */
async function* interleaved(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await turn();
  }
}

/** The texts of headers are cached: made anew, they took 1.2 of 9 µs that a read from the cache takes here (2026-11-30). */
const assumptionTexts = new WeakMap<OperationSpec, string>();

function assumptionsOf(operation: OperationSpec): string {
  let text = assumptionTexts.get(operation);
  if (text === undefined) {
    text = operation.assumptions.join(', ');
    assumptionTexts.set(operation, text);
  }
  return text;
}

const SECOND_LENGTH = '2026-01-31T10:00:00'.length;
let dateSecond = '';
let dateText = '';

/** The world's time as a Date header; most responses share a second. */
function httpDate({ now }: World): string {
  if (!now.startsWith(dateSecond) || dateSecond === '') {
    dateSecond = now.slice(0, SECOND_LENGTH);
    dateText = new Date(toMillis(now)).toUTCString();
  }
  return dateText;
}
