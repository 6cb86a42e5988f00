import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { RuleViolation } from '../domain/rules.ts';
import { Malformed, Refusal } from '../resources/problems.ts';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';
import type { Validators } from '../spec/validators.ts';
import { DataError } from '../state/data-file.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { NoRoom } from '../state/worlds.ts';
import { type Serialised, serialise } from '../text/exact-json.ts';
import { findDefect } from './answer-check.ts';
import type { Authenticate, Caller } from './credentials.ts';
import { Unreadable } from './input.ts';
import {
  bare,
  JSON_HEADERS,
  problem,
  type RawResponse,
  TEXT_HEADERS,
  validationProblem,
} from './problem.ts';
import { createRequestValidator, type RequestValidator } from './request-validator.ts';
import { type Router, routerOf } from './router.ts';

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
}

export interface HandlerReply {
  readonly status: number;
  readonly body?: unknown;
  /** The body in words, sent in its place. */
  readonly text?: string;
  /** The body as JSON in pieces, sent in its place: too large to be held as a whole. */
  readonly pieces?: Iterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it changed. */
  readonly changes?: readonly Change[];
}

/** Answers one operation for one caller. */
export type RunOperation = (
  operation: OperationSpec,
  call: ValidatedCall,
  caller: Caller,
  rawRequest: RawRequest,
) => HandlerReply | Promise<HandlerReply>;

export interface ApiPipelineOptions {
  readonly document: InterfaceDocument;
  readonly validators: Validators;
  readonly authenticate: Authenticate;
  /** Judges a request before its key; what it answers is final. */
  readonly guard?: (rawRequest: RawRequest) => RawResponse | undefined;
  readonly settings: Settings;
  readonly log: Logger;
  readonly run: RunOperation;
}

/** Where a request stands once its key and its path are known: at an operation, or already answered. */
export type RoutedRequest =
  | { readonly kind: 'answered'; readonly rawResponse: RawResponse; readonly caller?: Caller }
  | {
      readonly kind: 'operation';
      readonly operation: OperationSpec;
      readonly caller: Caller;
      readonly path: Readonly<Record<string, string>>;
      /** Most bytes its body may have; undefined where it takes none. */
      readonly bodyLimit: number | undefined;
    };

/** What becomes of a change that cannot be written. @assumes A-1407 */
const UNKEPT = 'What was asked is done in memory, and goes to the disk with the next writing.';

/**
 * The way into one interface document: key, route, shape, handler, check of the answer. It knows no socket,
 * so that a server, a test and a fixture go the same way.
 */
export class ApiPipeline {
  readonly #router: Router;
  readonly #validator: RequestValidator;

  constructor(private readonly options: ApiPipelineOptions) {
    this.#router = routerOf(options.document);
    this.#validator = createRequestValidator(options.validators, options.settings);
  }

  /**
   * Judges key, path and method, before anything else of the request is looked at. A draft stands for the
   * open world of its key.
   *
   * @assumes
   */
  route(rawRequest: RawRequest, draft?: World): RoutedRequest {
    try {
      if (rawRequest.method === 'OPTIONS') {
        const allow = this.#router.allow(rawRequest.path);
        return answered(allow === '' ? bare(404) : bare(204, { Allow: allow }));
      }
      const refusal = this.options.guard?.(rawRequest);
      if (refusal) return answered(refusal);
      const caller = this.options.authenticate(rawRequest.headers, draft);
      if (!caller) return answered(bare(401));
      return this.#route(rawRequest, caller);
    } catch (error) {
      return answered(this.#refuse(error));
    }
  }

  /** Answers a request that arrived at an operation. It never throws. */
  handle(
    rawRequest: RawRequest,
    routed: RoutedRequest,
    body: Buffer,
  ): RawResponse | Promise<RawResponse> {
    if (routed.kind === 'answered') return routed.rawResponse;
    const { operation, caller } = routed;
    try {
      const call = this.#validator.validate(operation, routed.path, rawRequest, body);
      const reply = this.options.run(operation, call, caller, rawRequest);
      if (!(reply instanceof Promise)) return this.#render(operation, reply);
      return reply.then(
        (given) => this.#render(operation, given),
        (error: unknown) => this.#refuse(error, operation),
      );
    } catch (error) {
      return this.#refuse(error, operation);
    }
  }

  #route(rawRequest: RawRequest, caller: Caller): RoutedRequest {
    const route = this.#router.find(rawRequest.method, rawRequest.path);
    switch (route.kind) {
      case 'operation': {
        const { operation, path } = route;
        const limit = operation.body?.limit as 'body_limit' | undefined;
        const bodyLimit = limit && this.options.settings[limit];
        return { kind: 'operation', operation, path, caller, bodyLimit };
      }
      case 'other-method': {
        const rawResponse = problem(405, `Expected one of ${route.allow}.`, { Allow: route.allow });
        return { kind: 'answered', rawResponse, caller };
      }
      case 'malformed': {
        const rawResponse = problem(400, 'The path has malformed percent-encoding.');
        return { kind: 'answered', rawResponse, caller };
      }
      case 'unknown':
        return { kind: 'answered', rawResponse: bare(404), caller };
    }
  }

  #render(operation: OperationSpec, reply: HandlerReply): RawResponse {
    const { settings, validators } = this.options;
    const { body, text: words, pieces, changes } = reply;
    if (pieces) return { status: reply.status, headers: JSON_HEADERS, text: '', pieces };
    const made = changes && { changes };
    const serialised = body === undefined ? NO_BODY : serialise(body);
    const defect = settings.check_responses && findDefect(validators, operation, reply, serialised);
    if (defect) return { ...this.#fail(operation, new Error(defect)), ...made };
    return { ...shownAs(reply, words ?? serialised.text), ...made };
  }

  #refuse(error: unknown, operation?: OperationSpec): RawResponse {
    if (error instanceof RuleViolation)
      return operation?.replies.has(422) === false
        ? problem(400, error.message)
        : validationProblem(error.findings);
    if (error instanceof Refusal) return bare(error.status);
    if (error instanceof Unreadable || error instanceof Malformed)
      return problem(400, error.message);
    if (error instanceof NoRoom) return problem(503, error.message);
    if (error instanceof DataError) return problem(503, `${error.message}. ${UNKEPT}`);
    return this.#fail(operation, error);
  }

  #fail(operation: OperationSpec | undefined, error: unknown): RawResponse {
    const place = operation
      ? `${operation.id} (${operation.method} ${operation.path})`
      : 'the pipeline';
    this.options.log.error(`Defect in ${place}`, error);
    return problem(500, `Defect in ${place}: ${(error as Error)?.message ?? error}`);
  }
}

/** The answer with its headers, those of its kind first. */
function shownAs(
  { status, body, text: words, headers: own }: HandlerReply,
  text: string,
): RawResponse {
  const kind = words !== undefined ? TEXT_HEADERS : body === undefined ? NO_HEADERS : JSON_HEADERS;
  return { status, text, headers: own ? { ...kind, ...own } : kind };
}

const NO_BODY: Serialised = { text: '', hasLongNumbers: false };
const NO_HEADERS = {};

function answered(rawResponse: RawResponse): RoutedRequest {
  return { kind: 'answered', rawResponse };
}
