import { headerNames } from '../spec/header-names.ts';
import { type Serialised, serialise } from '../text/exact-json.ts';
import { fitBody } from '../text/fit-body.ts';
import { findDefect } from './answer-check.ts';
import { hintForCaller } from './credentials.ts';
import { describeError } from './error-answer.ts';
import { guardFault, injectFault, injectOwnFault } from './fault-step.ts';
import { TooLarge } from './input.ts';
import { hinting } from './log/hints.ts';
import type { RawResponse } from './message.ts';
import { bare, JSON_HEADERS, problem, TEXT_HEADERS, withInstance } from './problem.ts';
import type { RequestContext, Step, StepContext } from './request-context.ts';
import { validateRequest } from './request-validator.ts';
import { answerUnchanged, cacheResponse } from './response-cache.ts';

const CALL: readonly Step[] = [
  refuse,
  answerUnchanged,
  validate,
  awaitBackpressure,
  run,
  checkAnswer,
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
  guardFault,
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
  injectOwnFault,
  ...CALL,
];

/** Runs a request through its steps, synchronously unless a step has to wait. It never throws. */
export function answerRequest(context: RequestContext): RawResponse | Promise<RawResponse> {
  return goOn(context as StepContext, 0);
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
  const response = withInstance(context.response as RawResponse, context.rawRequest.path);
  return context.alter ? context.alter(response) : response;
}

/** @assumes A-201 */
function answerOptions(context: StepContext): void {
  const { method, path } = context.rawRequest;
  if (method !== 'OPTIONS') return;
  const allow = context.api.router.allow(path);
  context.response = allow === '' ? bare(404) : bare(204, { Allow: allow });
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
  context.response = bare(401, hinting(api.log, rawRequest, hint));
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
  else context.rejection = bare(404, hinting(api.log, rawRequest, api.router.hint(path)));
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

function refuse(context: StepContext): void {
  context.response = context.rejection;
}

function validate(context: RequestContext): void {
  context.call = validateRequest(context as StepContext);
}

/** Waits until changes can be kept. */
function awaitBackpressure(context: StepContext): void | Promise<void> {
  const { api, operation, caller } = context;
  if (operation.method === 'GET') return;
  return api.room?.(caller.world)?.then(() => authenticateAgain(context));
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

/** @throws Error where the answer is not one of the document's */
function checkAnswer(context: StepContext): void {
  const { api, operation } = context;
  if (context.reply.pieces) return;
  const serialised = serialiseReply(context);
  const { reply } = context;
  context.text = reply.text ?? serialised.text;
  if (!api.checkResponses) return;
  const defect = findDefect(api.validators, operation, reply, serialised);
  if (defect) throw new Error(defect);
}

/** Serialises the body of a reply. Lists that are too long are shortened first. @assumes A-1416 */
function serialiseReply(context: StepContext): Serialised {
  const { api, operation, reply } = context;
  const { mostBytes = Infinity } = api;
  if (reply.body === undefined) return NO_BODY;
  const serialised = serialise(reply.body);
  const longest = Math.max(serialised.text.length, reply.text?.length ?? 0);
  if (3 * longest <= mostBytes || operation.isWhole) return serialised;
  return shorten(context, serialised, mostBytes);
}

/** Shortens the lists and the text of a reply, and names them in a header. */
function shorten(context: StepContext, serialised: Serialised, mostBytes: number): Serialised {
  const { reply } = context;
  const { body, cut } = fitBody(reply.body, mostBytes);
  const text = reply.text && Buffer.from(reply.text).subarray(0, mostBytes).toString();
  const places = text === reply.text ? cut : [...cut, 'text'];
  if (places.length === 0) return serialised;
  const headers = { ...reply.headers, 'X-Emulator-Truncated': places.join(', ') };
  (context as RequestContext).reply = {
    ...reply,
    body,
    headers,
    ...(text !== undefined && { text }),
  };
  return serialise(body);
}

const NO_BODY: Serialised = { text: '', hasLongNumbers: false };

function render(context: StepContext): void {
  const { text, reply } = context;
  const { status, body, pieces, headers: own } = reply;
  const hasBody = body !== undefined || pieces !== undefined;
  const kind = reply.text !== undefined ? TEXT_HEADERS : hasBody ? JSON_HEADERS : {};
  const headers = own ? { ...kind, ...own } : kind;
  context.response = pieces ? { status, headers, text, pieces } : { status, headers, text };
  cacheResponse(context, context.response);
}
