import type { ProblemType } from '../spec/operations.ts';
import { shortenLiveKeys } from '../text/wording.ts';

/** The problem details of an error response. Other fields, such as the near misses of a wait, are available by name. */
export interface ProblemDetails {
  readonly type?: ProblemType;
  readonly detail?: string;
  /** What was expected, by field path. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly [more: string]: unknown;
}

/** An error response of the emulator. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Undefined if the body is empty or not a JSON object. */
  readonly problem: ProblemDetails | undefined;

  constructor(
    readonly operation: string,
    readonly status: number,
    /** The body as received. */
    readonly text: string,
    /** What the emulator says of a 401 or 404 without a body. */
    readonly hint?: string | null,
  ) {
    const why = text || hint;
    super(shortenLiveKeys(`${operation} returned ${status}${why ? `: ${why}` : ''}`));
    this.problem = readObject(text);
  }
}

function readObject(text: string): ProblemDetails | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ProblemDetails) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Why there is no response: the request cannot be sent, no server responds, the connection broke during the
 * response, or the caller's signal aborted it.
 */
export type ConnectionFailure = 'unsendable' | 'unreachable' | 'interrupted' | 'aborted';

const REASONS: Readonly<Record<ConnectionFailure, (address: string, cause: string) => string>> = {
  // Without the cause: it shows the value, which can be secret.
  unsendable: () => 'The key or the admin token holds characters that no header can carry.',
  unreachable: (address, cause) => `No emulator responds at ${address} (${cause}).`,
  interrupted: (address, cause) => `${address} broke off within its response (${cause}).`,
  aborted: (address, cause) => `The request to ${address} was aborted (${cause}).`,
};

/** A request without a complete response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly failure: ConnectionFailure,
    address: string,
    error: Error,
  ) {
    const cause = failure === 'interrupted' ? error.message : describeCause(error);
    super(shortenLiveKeys(REASONS[failure](address, cause)));
  }
}

/** The system's message for a failed `fetch`, such as `connect ECONNREFUSED 127.0.0.1:9`. */
export function describeCause(error: Error): string {
  const { message, code } = (error.cause ?? {}) as { message?: string; code?: string };
  return message || code || String(error);
}
