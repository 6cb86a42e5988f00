import type { Logger } from '../config/log.ts';
import { machineTime } from '../config/machine-time.ts';
import { RuleViolation } from '../domain/rules.ts';
import { Malformed, Rejection } from '../resources/problems.ts';
import { DataError, NotKept } from '../store/storage/data-error.ts';
import { WorldClosed } from '../store/world.ts';
import { keyOf, Stopping, Unavailable } from '../store/worlds.ts';
import { redactText } from '../text/redaction.ts';
import type { Caller } from './credentials.ts';
import { BadRequest, TooLarge } from './input.ts';
import {
  emptyResponse,
  problem,
  type RawRequest,
  type RawResponse,
  validationProblem,
} from './message.ts';
import { type RequestContext, requestIdOf } from './request-context.ts';

/** The header of a response to a request that is worth sending again. */
export const RETRY_SOON = { 'Retry-After': '1' };

export const RETRY_AT_ONCE = { 'Retry-After': '0' };

const isUnavailable = (error: unknown): error is Error =>
  error instanceof Unavailable || error instanceof WorldClosed || error instanceof DataError;

/** The response where a world cannot be had, which says when that may have passed. */
export function unavailable(error: Error): RawResponse {
  if (error instanceof Stopping) return problem(503, error.message, RETRY_AT_ONCE);
  return problem(503, error.message, error instanceof NotKept ? RETRY_SOON : {});
}

const TOO_LONG = 'The response would be too long. Request fewer items with `limit`.';

/** Whether a response exceeds 512 MiB, the longest string in Node. @assumes A-201 */
const isTooLong = (error: unknown): boolean =>
  error instanceof RangeError && error.message === 'Invalid string length';

/** Returns the response for an error that a step threw. An unexpected error is a defect: status 500. */
export function describeError(context: RequestContext, error: unknown): RawResponse {
  const { api, operation } = context;
  if (error instanceof RuleViolation)
    return operation?.replies.has(422) === false
      ? problem(400, error.message)
      : validationProblem(error.findings);
  if (error instanceof Rejection)
    return error.detail === undefined
      ? emptyResponse(error.status)
      : problem(error.status, error.detail);
  if (error instanceof BadRequest || error instanceof Malformed) return problem(400, error.message);
  if (error instanceof TooLarge) return problem(413, error.message);
  if (isTooLong(error)) return problem(400, TOO_LONG);
  if (isUnavailable(error)) return unavailable(error);
  const place = operation
    ? `${operation.id} (${operation.method} ${operation.path})`
    : 'the pipeline';
  api.log.error(`Defect in ${place}`, error, { request_id: requestIdOf(context) });
  return problem(500, `Defect in ${place}: ${(error as Error)?.message ?? error}`);
}

/** The header that says what is wrong with a request whose response has no body. */
const HINT_HEADER = 'X-Emulator-Hint';

/** A request without a valid key, or to no path: it belongs to no operation. */
interface RefusedRequest {
  /** The key of its world; undefined if its own key is not valid, so that it has none. */
  readonly worldKey: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly hint: string;
}

/** At most one hint a second is logged, as anyone can cause them. @units milliseconds */
const LOG_INTERVAL = 1_000;
/** For the same reason, only the latest are kept, and only the beginning of their paths. */
const MAX_REFUSED = 50;
const MAX_PATH = 200;

/** What was refused by the emulator of a log, the latest first. */
const refused = new WeakMap<Pick<Logger, 'info'>, readonly RefusedRequest[]>();
const loggedAt = new WeakMap<Pick<Logger, 'info'>, number>();

export const refusedRequests = (log: Pick<Logger, 'info'>): readonly RefusedRequest[] =>
  refused.get(log) ?? [];

interface Hinted {
  readonly rawRequest: RawRequest;
  readonly caller?: Caller | undefined;
}

/** The header with a hint. The hint is logged too, and kept for the list of refused requests. */
export function hinting(
  log: Pick<Logger, 'info'>,
  { rawRequest: { method, path }, caller }: Hinted,
  hint: string,
): Readonly<Record<string, string>> {
  const at = machineTime();
  const worldKey = caller && keyOf(caller.world);
  const entry = { worldKey, method, path: redactText(path.slice(0, MAX_PATH)), hint };
  refused.set(log, [entry, ...refusedRequests(log).slice(0, MAX_REFUSED - 1)]);
  if (at - (loggedAt.get(log) ?? -Infinity) >= LOG_INTERVAL) {
    loggedAt.set(log, at);
    log.info(`${method} ${entry.path}: ${hint}`);
  }
  return { [HINT_HEADER]: hint };
}
