import { RuleViolation } from '../domain/rules.ts';
import { Malformed, Rejection } from '../resources/problems.ts';
import { DataError, NotKept } from '../store/storage/data-error.ts';
import { WorldClosed } from '../store/world.ts';
import { Stopping, Unavailable } from '../store/worlds.ts';
import { BadRequest, TooLarge } from './input.ts';
import { emptyResponse, problem, type RawResponse, validationProblem } from './message.ts';
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
