import { type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { BrokenAnswer } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { sendToTarget } from './client.ts';
import type { ReceivedAnswer } from './exchange.ts';

/** What a request can wait for, with the words of a report. */
export const WAITS = {
  rate_limit: 'waited for the rate limit',
  unavailable: 'waited for the service to be available again',
  reset: 'were repeated after a broken connection',
  consistency: 'waited for what was written to be seen',
} as const;

/** How long one request waited for one thing. */
export interface WaitRecord {
  readonly kind: keyof typeof WAITS;
  readonly milliseconds: number;
}

/** A request that may be sent again. */
export interface PatientRequest {
  readonly operation: OperationId;
  readonly isRead: boolean;
  /** Whether a second time changes nothing beyond the first. */
  readonly isIdempotent: boolean;
  /** Statuses that the sender looks for, which are not waited out. */
  readonly expected: readonly number[];
  /** Where it is written down what was waited for. */
  readonly waits: WaitRecord[];
}

/** Sends a request, again where its answer says that it was too early. */
export type Patience = ReturnType<typeof createPatience>;

const MOST_TRIES = 8;
const LONGEST_MS = 120_000;
const FIRST_MS = 250;
/** What turns away so many requests of an operation in a row, however long one waits, is not merely busy. */
const MOST_IN_VAIN = 3;

/**
 * Waits for a target that is merely busy. 429, and 503 with `Retry-After`, say that nothing was done, so any
 * request is repeated; after a plain 503 or a broken connection only what is safe to repeat.
 */
export function createPatience() {
  const inVain = new Map<OperationId, number>();
  return async (send: () => Promise<ReceivedAnswer>, request: PatientRequest) => {
    const { operation, waits } = request;
    const waited = new Map<WaitRecord['kind'], number>();
    const end = Date.now() + LONGEST_MS;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await answerOf(send);
        const wait = waitAfter(answer, request, attempt);
        if (wait === undefined) inVain.delete(operation);
        const failures = inVain.get(operation) ?? 0;
        const isOver = attempt >= (wait?.most ?? 0) || Date.now() + (wait?.milliseconds ?? 0) > end;
        if (wait !== undefined && isOver) inVain.set(operation, failures + 1);
        if (wait === undefined || isOver || failures >= MOST_IN_VAIN) {
          if (answer instanceof BrokenAnswer) throw answer;
          return answer;
        }
        waited.set(wait.kind, (waited.get(wait.kind) ?? 0) + wait.milliseconds);
        await new Promise((resolve) => setTimeout(resolve, wait.milliseconds));
      }
    } finally {
      for (const [kind, milliseconds] of waited) waits.push({ kind, milliseconds });
    }
  };
}

function answerOf(send: () => Promise<ReceivedAnswer>): Promise<ReceivedAnswer | BrokenAnswer> {
  return send().catch((error: unknown) => {
    if (error instanceof BrokenAnswer) return error;
    throw error;
  });
}

/** What a second try may mend; an answer that is no HTTP is no accident. */
const RESET = /ECONNRESET|EPIPE|ECONNABORTED|ABORTED|socket hang up|no HTTP answer/i;

interface Wait extends WaitRecord {
  /** Most times that the request is sent in all. */
  readonly most: number;
}

/** How long to wait before the next try; undefined where the answer is not that of a busy target. */
function waitAfter(
  answer: ReceivedAnswer | BrokenAnswer,
  { isRead, isIdempotent, expected }: PatientRequest,
  attempt: number,
): Wait | undefined {
  const growing = FIRST_MS * 2 ** (attempt - 1);
  if (answer instanceof BrokenAnswer)
    return isRead && RESET.test(answer.message)
      ? { kind: 'reset', milliseconds: growing / 5, most: 4 }
      : undefined;
  const { status, headers } = answer;
  if (![429, 503].includes(status) || expected.includes(status)) return undefined;
  const asked = retryAfter(String(headers['retry-after'] ?? ''));
  if (!isRead && !isIdempotent && status !== 429 && asked === undefined) return undefined;
  const kind = status === 429 ? 'rate_limit' : 'unavailable';
  return { kind, milliseconds: asked ?? growing, most: asked === undefined ? 4 : MOST_TRIES };
}

/** Reads seconds or a date of HTTP into milliseconds from now; undefined where it is neither. */
export function retryAfter(text: string, now = Date.now()): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}

/** Whom to ask, how patiently, and where it is written down. */
export interface Asking extends Pick<RunPlan, 'target' | 'timeoutMs'> {
  readonly patience?: Patience;
  readonly waits?: WaitRecord[];
  readonly expected?: readonly number[];
  /** Comes before every try, such as the pace. */
  readonly before?: () => Promise<void>;
}

/** Posts what it is sent once, however often that is: events and adjustments carry ids of their own. */
const IDEMPOTENT: ReadonlySet<OperationId> = new Set(['submitEvents', 'adjustWallet']);

/** Speaks to a target as `sendToTarget` does, and waits for one that is busy. */
export function askTarget(
  asking: Asking,
  operation: OperationId,
  parts: LooseParts,
): Promise<ReceivedAnswer> {
  const { patience = createPatience(), waits = [], expected = [], before } = asking;
  const mustFail = expected.length > 0 && expected.every((status) => status >= 400);
  const send = async (): Promise<ReceivedAnswer> => {
    await before?.();
    return sendToTarget(asking, operation, parts);
  };
  return patience(send, {
    operation,
    isRead: operationOf(operation).method === 'GET',
    isIdempotent: mustFail || IDEMPOTENT.has(operation),
    ...{ expected, waits },
  });
}
