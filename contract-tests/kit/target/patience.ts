import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { BrokenResponse } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { type ReceivedResponse, sendToTarget } from './client.ts';

/** How many requests of an operation have failed despite all retries, within a session. */
export type Patience = Map<OperationId, number>;

const MAX_TRIES = 8;
const LONGEST_MS = 120_000;
const FIRST_MS = 250;
/** After this many requests of an operation that failed despite all retries, the target is not merely busy. */
const MAX_IN_VAIN = 3;

function answerOf(sent: Promise<ReceivedResponse>): Promise<ReceivedResponse | BrokenResponse> {
  return sent.catch((error: unknown) => {
    if (error instanceof BrokenResponse) return error;
    throw error;
  });
}

/** Connection errors that a retry can solve. Invalid HTTP is not among them. */
const RESET = /ECONNRESET|EPIPE|ECONNABORTED|ABORTED|socket hang up/i;

interface Wait {
  readonly milliseconds: number;
  /** The maximum number of attempts. */
  readonly most: number;
}

interface Repeatable {
  readonly isRead: boolean;
  /** Whether a repetition changes nothing more. */
  readonly isIdempotent: boolean;
  /** The statuses that the sender expects; these cause no retry. */
  readonly expected: readonly number[];
}

/** How long to wait before the next attempt; undefined when the response is not that of a busy target. */
function waitAfter(
  answer: ReceivedResponse | BrokenResponse,
  { isRead, isIdempotent, expected }: Repeatable,
  attempt: number,
): Wait | undefined {
  const growing = FIRST_MS * 2 ** (attempt - 1);
  if (answer instanceof BrokenResponse)
    return isRead && RESET.test(answer.message)
      ? { milliseconds: growing / 5, most: 4 }
      : undefined;
  const { status, headers } = answer;
  if (![429, 503].includes(status) || expected.includes(status)) return undefined;
  const asked = retryAfter(String(headers['retry-after'] ?? ''));
  if (!isRead && !isIdempotent && status !== 429 && asked === undefined) return undefined;
  return { milliseconds: asked ?? growing, most: asked === undefined ? 4 : MAX_TRIES };
}

/** Converts a Retry-After value, seconds or an HTTP date, to milliseconds from now; undefined when it is neither. */
function retryAfter(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - Date.now());
}

/** The target and the retry policy. */
export interface Asking extends Pick<RunPlan, 'target' | 'timeoutMs'> {
  readonly patience?: Patience;
  readonly expected?: readonly number[];
  /** Runs before every attempt, for example to limit the rate. */
  readonly before?: () => Promise<void>;
}

/** Operations that apply a repeated request only once: events and adjustments carry client-supplied ids. */
const IDEMPOTENT: ReadonlySet<OperationId> = new Set(['submitEvents', 'adjustWallet']);

/**
 * Sends a request as `sendToTarget` does, and retries it while the target is merely busy. Status 429, and 503 with
 * `Retry-After`, mean that nothing was done, so every request is retried. After a plain 503 or a broken connection, only
 * requests that are safe to repeat are retried.
 */
export async function askTarget(
  asking: Asking,
  operation: OperationId,
  parts: LooseParts,
): Promise<ReceivedResponse> {
  const { patience: inVain = new Map(), expected = [], before } = asking;
  const mustFail = expected.length > 0 && expected.every((status) => status >= 400);
  const isRead = operationOf(operation).method === 'GET';
  const request = { isRead, isIdempotent: mustFail || IDEMPOTENT.has(operation), expected };
  const end = Date.now() + LONGEST_MS;
  for (let attempt = 1; ; attempt += 1) {
    await before?.();
    const answer = await answerOf(sendToTarget(asking, operation, parts));
    const wait = waitAfter(answer, request, attempt);
    if (wait === undefined) inVain.delete(operation);
    const failures = inVain.get(operation) ?? 0;
    const isOver = attempt >= (wait?.most ?? 0) || Date.now() + (wait?.milliseconds ?? 0) > end;
    if (wait !== undefined && isOver) inVain.set(operation, failures + 1);
    if (wait === undefined || isOver || failures >= MAX_IN_VAIN) {
      if (answer instanceof BrokenResponse) throw answer;
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, wait.milliseconds));
  }
}
