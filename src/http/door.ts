import type { IncomingHttpHeaders } from 'node:http';
import { type Serialised, serialise } from '../domain/exact-json.ts';
import { RuleViolation } from '../domain/rules.ts';
import { Malformed, Refusal } from '../resources/problems.ts';
import type { InterfaceDocument, OperationSpec } from '../spec/document.ts';
import type { Validators } from '../spec/validators.ts';
import { DataError } from '../state/data-file.ts';
import type { Logger } from '../state/log.ts';
import type { Settings } from '../state/settings.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { NoRoom } from '../state/worlds.ts';
import { findDefect } from './answer-check.ts';
import type { Authenticate, Caller } from './credentials.ts';
import { createGate, type Gate } from './gate.ts';
import { Unreadable } from './input.ts';
import {
  bare,
  JSON_HEADERS,
  type Outgoing,
  problem,
  TEXT_HEADERS,
  validationProblem,
} from './problem.ts';
import { type Router, routerOf } from './router.ts';

/** A request as it came, its body read by whoever needs it. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  /** Text behind the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
}

/** A call whose parts have the types that the document gives them. */
export interface PassedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface GivenReply {
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
export type Run = (
  operation: OperationSpec,
  call: PassedCall,
  caller: Caller,
  incoming: Incoming,
) => GivenReply | Promise<GivenReply>;

export interface DoorOptions {
  readonly document: InterfaceDocument;
  readonly validators: Validators;
  readonly authenticate: Authenticate;
  /** Judges a request before its key; what it answers is final. */
  readonly guard?: (incoming: Incoming) => Outgoing | undefined;
  readonly settings: Settings;
  readonly log: Logger;
  readonly run: Run;
}

/** Where a request stands once its key and its path are known: at an operation, or already answered. */
export type Arrival =
  | { readonly kind: 'answered'; readonly outgoing: Outgoing; readonly caller?: Caller }
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
export class Door {
  readonly #router: Router;
  readonly #gate: Gate;

  constructor(private readonly options: DoorOptions) {
    this.#router = routerOf(options.document);
    this.#gate = createGate(options.validators, options.settings);
  }

  /**
   * Judges key, path and method, before anything else of the request is looked at. A draft stands for the
   * open world of its key.
   *
   * @assumes
   */
  arrive(incoming: Incoming, draft?: World): Arrival {
    try {
      if (incoming.method === 'OPTIONS') {
        const allow = this.#router.allow(incoming.path);
        return answered(allow === '' ? bare(404) : bare(204, { Allow: allow }));
      }
      const refusal = this.options.guard?.(incoming);
      if (refusal) return answered(refusal);
      const caller = this.options.authenticate(incoming.headers, draft);
      if (!caller) return answered(bare(401));
      return this.#route(incoming, caller);
    } catch (error) {
      return answered(this.#refuse(error));
    }
  }

  /** Answers a request that arrived at an operation. It never throws. */
  answer(incoming: Incoming, arrival: Arrival, body: Buffer): Outgoing | Promise<Outgoing> {
    if (arrival.kind === 'answered') return arrival.outgoing;
    const { operation, caller } = arrival;
    try {
      const call = this.#gate.admit(operation, arrival.path, incoming, body);
      const reply = this.options.run(operation, call, caller, incoming);
      if (!(reply instanceof Promise)) return this.#render(operation, reply);
      return reply.then(
        (given) => this.#render(operation, given),
        (error: unknown) => this.#refuse(error, operation),
      );
    } catch (error) {
      return this.#refuse(error, operation);
    }
  }

  #route(incoming: Incoming, caller: Caller): Arrival {
    const route = this.#router.find(incoming.method, incoming.path);
    switch (route.kind) {
      case 'operation': {
        const { operation, path } = route;
        const bodyLimit = operation.body && this.#bodyLimit(operation);
        return { kind: 'operation', operation, path, caller, bodyLimit };
      }
      case 'other-method': {
        const outgoing = problem(405, `Expected one of ${route.allow}.`, { Allow: route.allow });
        return { kind: 'answered', outgoing, caller };
      }
      case 'malformed': {
        const outgoing = problem(400, 'The path has malformed percent-encoding.');
        return { kind: 'answered', outgoing, caller };
      }
      case 'unknown':
        return { kind: 'answered', outgoing: bare(404), caller };
    }
  }

  #bodyLimit(operation: OperationSpec): number {
    const { body_limit, events_body_limit, import_body_limit } = this.options.settings;
    if (operation.id === 'submitEvents') return events_body_limit;
    return operation.id === 'importWorld' ? import_body_limit : body_limit;
  }

  #render(operation: OperationSpec, reply: GivenReply): Outgoing {
    const { settings, validators } = this.options;
    const { body, text: words, pieces, changes } = reply;
    if (pieces) return { status: reply.status, headers: JSON_HEADERS, text: '', pieces };
    const made = changes && { changes };
    const serialised = body === undefined ? NO_BODY : serialise(body);
    const defect = settings.check_responses && findDefect(validators, operation, reply, serialised);
    if (defect) return { ...this.#fail(operation, new Error(defect)), ...made };
    return { ...shownAs(reply, words ?? serialised.text), ...made };
  }

  #refuse(error: unknown, operation?: OperationSpec): Outgoing {
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

  #fail(operation: OperationSpec | undefined, error: unknown): Outgoing {
    const place = operation
      ? `${operation.id} (${operation.method} ${operation.path})`
      : 'the door';
    this.options.log.error(`Defect in ${place}`, error);
    return problem(500, `Defect in ${place}: ${(error as Error)?.message ?? error}`);
  }
}

/** The answer with its headers, those of its kind first. */
function shownAs({ status, body, text: words, headers: own }: GivenReply, text: string): Outgoing {
  const kind = words !== undefined ? TEXT_HEADERS : body === undefined ? NO_HEADERS : JSON_HEADERS;
  return { status, text, headers: own ? { ...kind, ...own } : kind };
}

const NO_BODY: Serialised = { text: '', hasLongNumbers: false };
const NO_HEADERS = {};

function answered(outgoing: Outgoing): Arrival {
  return { kind: 'answered', outgoing };
}
