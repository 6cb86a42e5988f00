import { Readable } from 'node:stream';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { Finding } from '../domain/rules.ts';
import type { OnClientClose } from '../faults/waits.ts';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';
import type { Validators } from '../spec/validators.ts';
import type { Change } from '../store/row.ts';
import type { World } from '../store/world.ts';
import type { Authenticate, Caller } from './credentials.ts';
import type { RawRequest, RawResponse } from './message.ts';
import type { Router } from './router.ts';

/** A call with its values converted to the types of the document. */
export interface ValidatedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Fields of query and body that the document does not name, if the settings ask for warnings. */
  readonly unknown: readonly Finding[];
}

/** The reply of an operation: a body, or text that is sent in its place, whole or in pieces. */
export interface HandlerReply extends Partial<Pick<RawResponse, 'text' | 'pieces' | 'headers'>> {
  readonly status: number;
  readonly body?: unknown;
}

/** Runs the handler of a validated call. Notes its time, its changes and its version in the context. */
type RunOperation = (context: StepContext) => HandlerReply | Promise<HandlerReply>;

/** One step of the pipeline. Setting the response ends the pipeline. */
export type Step = (context: StepContext) => void | Promise<void>;

/** An API: its document, its pipeline steps, and what the steps need. */
export interface Api {
  readonly document: InterfaceDocument;
  readonly steps: readonly Step[];
  readonly router: Router;
  readonly validators: Validators;
  readonly settings: Settings;
  readonly log: Logger;
  readonly authenticate: Authenticate;
  /** Checks a request before authentication. A returned response is final. */
  readonly guard?: (rawRequest: RawRequest) => RawResponse | undefined;
  /** Applies the fault that a rule or the request itself asks for. */
  readonly injectFault?: Step;
  readonly runDueJobs?: (world: World) => void;
  /** Why changes of a world cannot be kept at present; undefined if they can be. */
  readonly writeFailure?: (world: World) => Error | undefined;
  /** Resolves once all that a call may have changed, or read, is kept; undefined if there is nothing to wait for. */
  readonly durable: (world: World, isChange?: boolean) => Promise<void> | undefined;
  readonly run: RunOperation;
}

/** A body as a stream. */
export type Pieces = AsyncIterable<Buffer>;

/** Where a request comes from, and how its body is read. */
export interface RequestSource {
  /** Reads the body. Returns undefined if it exceeds the limit. Never resolves if the client disconnects. */
  readBody(limit: number): Promise<Buffer | undefined> | Buffer | undefined;
  /** Reads the body as a stream, with backpressure. Throws if it exceeds the limit. */
  readPieces(limit: number, tooLarge: () => Error): Pieces;
  readonly onClientClose: OnClientClose;
  /**
   * The world of a request made in this process, used instead of looking its key up: a world that is being filled is not
   * open yet. Faults do not delay such a request.
   */
  readonly inProcessWorld?: World;
}

/** The source of a request made in this process, whose body is in memory. */
export const sourceOfBytes = (body: Buffer): RequestSource => ({
  readBody: () => body,
  readPieces: () => Readable.from([body]),
  onClientClose: () => () => {},
});

const NO_BYTES = Buffer.alloc(0);
const NO_PARAMETERS = {};
const NO_CHANGES: readonly Change[] = [];

/** One request in the pipeline, with the results of its steps. */
export class RequestContext {
  caller: Caller | undefined = undefined;
  operation: OperationSpec | undefined = undefined;
  path: Readonly<Record<string, string>> = NO_PARAMETERS;
  body: Buffer = NO_BYTES;
  /** The body stream, for an operation that reads it itself. */
  pieces: Pieces | undefined = undefined;
  /** Number of the request in its world, if it is counted. */
  ordinal: number | undefined = undefined;
  /** How often the state of the world had been replaced when it was counted. */
  countedIn = 0;
  /** The response of a request that has no operation. A fault can still replace it. */
  rejection: RawResponse | undefined = undefined;
  call: ValidatedCall | undefined = undefined;
  reply: HandlerReply | undefined = undefined;
  /** The world's time when the operation ran. */
  at: Instant | undefined = undefined;
  /** What the operation committed. */
  changes: readonly Change[] = NO_CHANGES;
  /** The version of the world, if the reply depends on its records only, not on the time. */
  version: number | undefined = undefined;
  text = '';
  response: RawResponse | undefined = undefined;
  alter: ((response: RawResponse) => RawResponse) | undefined = undefined;

  constructor(
    readonly api: Api,
    readonly rawRequest: RawRequest,
    readonly source: RequestSource,
  ) {}
}

/** A context whose earlier steps have run. */
export type StepContext = RequestContext & {
  readonly caller: Caller;
  readonly operation: OperationSpec;
  readonly call: ValidatedCall;
  readonly reply: HandlerReply;
};

const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** The caller's own request id, or one made from the request's ordinal. Undefined without both. @assumes A-205 */
export function requestIdOf({
  rawRequest,
  ordinal,
}: Pick<RequestContext, 'rawRequest' | 'ordinal'>): string | undefined {
  const own = rawRequest.headers['x-request-id'];
  if (typeof own === 'string' && SANE_REQUEST_ID.test(own)) return own;
  return ordinal === undefined ? undefined : `req_${ordinal}`;
}
