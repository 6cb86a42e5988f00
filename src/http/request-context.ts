import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import type { Finding } from '../domain/rules.ts';
import type { OnClientClose } from '../faults/waits.ts';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';
import type { Validators } from '../spec/validators.ts';
import type { Resumable } from '../state/resumable.ts';
import type { World } from '../state/world.ts';
import type { Authenticate, Caller } from './credentials.ts';
import type { FaultInjector } from './faults/fault-injector.ts';
import type { RawResponse } from './problem.ts';
import type { Router } from './router.ts';

/** A request as it came, its body read by whoever needs it. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Text behind the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
}

/** A call whose parts have the types that the document gives them. */
export interface ValidatedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** What in query and body the document does not name, where that is to be noted. */
  readonly unknown: readonly Finding[];
}

/** What an operation answers: a body, or its text, whole or in pieces, sent in its place. */
export interface HandlerReply
  extends Partial<Pick<RawResponse, 'text' | 'pieces' | 'headers' | 'at' | 'changes'>> {
  readonly status: number;
  readonly body?: unknown;
  /** The version of the world that it shows, where it shows nothing else, such as the time. */
  readonly version?: number;
}

export type RunOperation = (
  operation: OperationSpec,
  call: ValidatedCall,
  caller: Caller,
  rawRequest: RawRequest,
  finish: Finish,
) => HandlerReply | Promise<HandlerReply>;

/** Brings long work to its end: in slices, or at once for who cannot wait. */
export type Finish = <T>(work: Resumable<T>) => T | Promise<T>;

/** What a step does to a request; one that sets the response ends its way. */
export type Step = (context: StepContext) => void | Promise<void>;

/** An interface: its document, what its requests go through, and what the steps need. */
export interface Api {
  readonly document: InterfaceDocument;
  readonly steps: readonly Step[];
  readonly router: Router;
  readonly validators: Validators;
  readonly settings: Settings;
  readonly log: Logger;
  readonly authenticate: Authenticate;
  /** Judges a request before its key; what it answers is final. */
  readonly guard?: (rawRequest: RawRequest) => RawResponse | undefined;
  readonly faults?: FaultInjector;
  /** Does what is due in a world by now. */
  readonly runDueJobs?: (world: World) => void;
  /** Resolves once something may be changed; undefined where it may be. */
  readonly room?: () => Promise<void> | undefined;
  readonly run: RunOperation;
  /** Most bytes of an answer, whose lists are shortened where they have to be; any number where absent. */
  readonly mostBytes?: number;
}

/** A body as it comes. */
export type Pieces = AsyncIterable<Buffer>;

/** Where a request comes from. */
export interface RequestSource {
  /** Its body; undefined where it is larger than the limit. It never settles where the client went away. */
  readBody(limit: number): Promise<Buffer | undefined> | Buffer | undefined;
  /** The same piece by piece, no faster than they are taken. It throws where it is larger than the limit. */
  readPieces(limit: number, tooLarge: () => Error): Pieces;
  readonly onClientClose: OnClientClose;
  /** A world that stands for the open one of its key. */
  readonly draft?: World;
  readonly finish: Finish;
}

/** The source of a request that was made in this process, whose body is there. */
export const sourceOfBytes = (body: Buffer, finish: Finish): RequestSource => ({
  readBody: () => body,
  readPieces: () => Readable.from([body]),
  onClientClose: () => () => {},
  finish,
});

const NO_BYTES = Buffer.alloc(0);
const NO_PARAMETERS = {};

/** One request on its way through an API, with what each step found out. */
export class RequestContext {
  caller: Caller | undefined = undefined;
  operation: OperationSpec | undefined = undefined;
  /** Parameters of its path. */
  path: Readonly<Record<string, string>> = NO_PARAMETERS;
  body: Buffer = NO_BYTES;
  /** The body of an operation that reads it itself. */
  pieces: Pieces | undefined = undefined;
  /** Its place among the requests of its world, where they are counted. */
  ordinal: number | undefined = undefined;
  /** The answer of a request that leads nowhere, unless it meets a fault before. */
  refusal: RawResponse | undefined = undefined;
  call: ValidatedCall | undefined = undefined;
  reply: HandlerReply | undefined = undefined;
  text = '';
  response: RawResponse | undefined = undefined;
  /** Changes the response once it is made. */
  alter: ((response: RawResponse) => RawResponse) | undefined = undefined;

  constructor(
    readonly api: Api,
    readonly rawRequest: RawRequest,
    readonly source: RequestSource,
  ) {}
}

/** What a step finds: all that the steps before it are there for. */
export type StepContext = RequestContext & {
  readonly caller: Caller;
  readonly operation: OperationSpec;
  readonly call: ValidatedCall;
  readonly reply: HandlerReply;
};

const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** The caller's own request id, else one from the world's request ordinal. @assumes A-205 */
export function requestIdOf({
  rawRequest,
  ordinal,
}: Pick<RequestContext, 'rawRequest' | 'ordinal'>): string | undefined {
  const own = rawRequest.headers['x-request-id'];
  if (typeof own === 'string' && SANE_REQUEST_ID.test(own)) return own;
  return ordinal === undefined ? undefined : `req_${ordinal}`;
}
