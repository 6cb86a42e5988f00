import { headerNames } from '../spec/header-names.ts';
import { type Serialised, serialise } from '../text/exact-json.ts';
import { hintForCaller } from './credentials.ts';
import { describeError } from './error-response.ts';
import { hinting } from './hints.ts';
import { TooLarge } from './input.ts';
import {
  emptyResponse,
  JSON_HEADERS,
  problem,
  type RawResponse,
  TEXT_HEADERS,
  withInstance,
} from './message.ts';
import type { RequestContext, Step, StepContext } from './request-context.ts';
import { validateRequest } from './request-validator.ts';
import { cachedResponse, cacheResponse } from './response-cache.ts';

const CALL: readonly Step[] = [
  respondEarly,
  validate,
  refuseUnkept,
  run,
  awaitDurable,
  checkResponse,
  render,
];

/**
 * The steps of a request to the service. They end once a step sets the response. No step uses a socket, so that
 * servers, tests and fixtures share the same steps.
 */
export const SERVICE_STEPS: readonly Step[] = [
  answerOptions,
  authenticate,
  route,
  readBody,
  countRequest,
  injectFault,
  ...CALL,
];

export const CONTROL_STEPS: readonly Step[] = [
  answerOptions,
  guard,
  authenticate,
  route,
  readBody,
  ...CALL,
];

/** The steps of a request made in this process. It is not counted, and only a fault that it asks for applies. */
export const IN_PROCESS_STEPS: readonly Step[] = [
  guard,
  authenticate,
  route,
  readBody,
  injectFault,
  ...CALL,
];

/** Runs a request through its steps, synchronously unless a step has to wait. It never throws. */
export function answerRequest(context: RequestContext): RawResponse | Promise<RawResponse> {
  const response = goOn(context as StepContext, 0);
  return response instanceof Promise
    ? response.then((settled) => onceKept(context, settled))
    : onceKept(context, response);
}

/** Delays a rejection until what it is based on is kept: that its world is there, or that an id is taken. */
function onceKept(
  context: RequestContext,
  response: RawResponse,
): RawResponse | Promise<RawResponse> {
  const { api, caller } = context;
  const kept = caller && response.status >= 400 ? api.durable(caller.world) : undefined;
  return kept
    ? kept.then(
        () => response,
        (error: unknown) => describeError(context, error),
      )
    : response;
}

function goOn(context: StepContext, first: number): RawResponse | Promise<RawResponse> {
  const { steps } = context.api;
  for (let place = first; place < steps.length && !context.response; place += 1) {
    try {
      const pending = (steps[place] as Step)(context);
      if (pending)
        return pending
          .catch((error: unknown) => {
            context.response = describeError(context, error);
          })
          .then(() => goOn(context, place + 1));
    } catch (error) {
      context.response = describeError(context, error);
    }
  }
  const response = context.response as RawResponse;
  const named = response.problem ? withInstance(response, context.rawRequest.path) : response;
  return context.alter ? context.alter(named) : named;
}

/** @assumes A-201 */
function answerOptions(context: StepContext): void {
  const { method, path } = context.rawRequest;
  if (method !== 'OPTIONS') return;
  const allow = context.api.router.allow(path);
  context.response = allow === '' ? emptyResponse(404) : emptyResponse(204, { Allow: allow });
}

function guard(context: StepContext): void {
  context.response = context.api.guard?.(context.rawRequest);
}

/** @assumes A-102 */
function authenticate(context: RequestContext): void {
  const { api, rawRequest, source } = context;
  context.caller = api.authenticate(rawRequest.headers, source.inProcessWorld);
  if (context.caller) return;
  const hint = hintForCaller(rawRequest.headers, headerNames(api.settings.service_name));
  context.response = emptyResponse(401, hinting(api.log, context, hint));
}

/** @assumes A-201 */
function route(context: RequestContext): void {
  const { api, rawRequest } = context;
  const { method, path } = rawRequest;
  const found = api.router.find(method, path);
  if (found.kind === 'operation') {
    context.operation = found.operation;
    context.path = found.path;
  } else if (found.kind === 'other-method')
    context.rejection = problem(405, `Expected one of ${found.allow}.`, { Allow: found.allow });
  else if (found.kind === 'malformed')
    context.rejection = problem(400, 'The path has malformed percent-encoding.');
  else context.rejection = emptyResponse(404, hinting(api.log, context, api.router.hint(path)));
}

function readBody(context: RequestContext): void | Promise<void> {
  const { operation, api, source } = context;
  if (!operation?.body) return;
  const { 'content-encoding': encoding = 'identity' } = context.rawRequest.headers;
  if (encoding.toLowerCase() !== 'identity') {
    context.rejection = problem(415, `Expected a body without Content-Encoding, got ${encoding}.`);
    return;
  }
  const limit = api.settings.limits[operation.body.limit];
  const tooLarge = () => new TooLarge(limit);
  if (operation.body.isRaw) {
    context.pieces = source.readPieces(limit, tooLarge);
    return;
  }
  const keep = (body: Buffer | undefined) => {
    if (body) context.body = body;
    else context.rejection = problem(413, tooLarge().message);
  };
  const body = source.readBody(limit);
  if (!(body instanceof Promise)) return keep(body);
  return body.then((read) => {
    keep(read);
    // The world may have been replaced or closed meanwhile, and the account with it.
    authenticate(context);
  });
}

function countRequest(context: StepContext): void {
  const { world } = context.caller;
  world.requests += 1;
  context.ordinal = world.requests;
  context.countedIn = world.replacements;
}

function injectFault(context: StepContext): void | Promise<void> {
  return context.api.injectFault?.(context);
}

/** Responds if the request is rejected, or if it reads what cannot have changed. */
function respondEarly(context: StepContext): void {
  const { rejection, rawRequest } = context;
  context.response =
    rejection ?? (rawRequest.method === 'GET' ? cachedResponse(context) : undefined);
}

function validate(context: RequestContext): void {
  context.call = validateRequest(context as StepContext);
}

/** Rejects a request that changes something while changes cannot be kept. */
function refuseUnkept({ api, operation, caller }: StepContext): void {
  const failure = operation.method === 'GET' ? undefined : api.writeFailure?.(caller.world);
  if (failure) throw failure;
}

/** Rejects a caller whose account was reset away meanwhile. A closed world rejects its calls itself. */
function authenticateAgain(context: RequestContext): void {
  if (!context.caller?.world.isClosed) authenticate(context);
}

function run(context: RequestContext): void | Promise<void> {
  const reply = context.api.run(context as StepContext);
  if (reply instanceof Promise)
    return reply.then((given) => {
      context.reply = given;
      if (context.operation?.method === 'GET') authenticateAgain(context);
    });
  context.reply = reply;
}

/** Waits until what the reply acknowledges is kept. */
function awaitDurable({ api, caller, operation }: StepContext): void | Promise<void> {
  return api.durable(caller.world, operation.method !== 'GET');
}

/** @throws Error where the document does not describe the response */
function checkResponse(context: StepContext): void {
  const { api, operation, reply } = context;
  if (reply.pieces) return;
  const { status, body } = reply;
  const serialised = body === undefined ? NO_BODY : serialise(body);
  context.text = reply.text ?? serialised.text;
  const check = api.validators.reply(operation, status);
  if (!check) throw new Error(`the document does not declare the status ${status}`);
  const errors = check(serialised.hasLongNumbers ? JSON.parse(serialised.text) : body);
  if (errors.length === 0) return;
  const shown = JSON.stringify(errors.slice(0, 5));
  throw new Error(`the response ${status} is not that of the document: ${shown}`);
}

const NO_BODY: Serialised = { text: '', hasLongNumbers: false };

function render(context: StepContext): void {
  const { text, reply, rawRequest } = context;
  const { status, body, pieces, headers: own } = reply;
  const hasBody = body !== undefined || pieces !== undefined;
  const kind = reply.text !== undefined ? TEXT_HEADERS : hasBody ? JSON_HEADERS : {};
  const headers = own ? { ...kind, ...own } : kind;
  context.response = pieces ? { status, headers, text, pieces } : { status, headers, text };
  if (rawRequest.method === 'GET') cacheResponse(context, context.response);
}
