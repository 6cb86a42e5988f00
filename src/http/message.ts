import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { groupBy } from '../domain/collections.ts';
import type { Finding } from '../domain/rules.ts';
import type { ProblemType } from '../spec/operations.ts';

/** A request as received, without its body. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it came by https. */
  readonly isSecure?: boolean;
}

/** A complete HTTP response, ready to be sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The problem details that `text` holds. */
  readonly problem?: object;
  /** The body in pieces, if it is too large for one string. */
  readonly pieces?: Iterable<string>;
  /** The fault that made or changed the response. */
  readonly fault?: AppliedFault;
}

interface AppliedFault {
  readonly name: string;
  /** How the connection ends instead of a complete response. */
  readonly connection?: 'reset' | 'empty' | 'truncated';
}

/** Means that no response is sent: the world was reset during a delay. */
export const ABORTED: RawResponse = { status: 0, headers: {}, text: '' };

/** Writes a response as it is, outside of the pipeline. */
export function writeRaw(
  response: ServerResponse,
  { status, headers, text }: Pick<RawResponse, 'status' | 'headers' | 'text'>,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** The problem types: the stable reference and the constant title of each status. @assumes A-204 */
export const PROBLEM_KINDS = {
  400: { type: '/problems/bad-request', title: 'The request could not be understood.' },
  403: { type: '/problems/forbidden', title: 'The request is not allowed.' },
  404: { type: '/problems/not-found', title: 'Not found.' },
  405: { type: '/problems/method-not-allowed', title: 'The path does not support this method.' },
  408: { type: '/problems/wait-timeout', title: 'The wait timed out.' },
  409: { type: '/problems/conflict', title: 'The request conflicts with the current state.' },
  413: { type: '/problems/payload-too-large', title: 'The request body is too large.' },
  415: {
    type: '/problems/unsupported-encoding',
    title: 'The content encoding of the request body is not supported.',
  },
  421: { type: '/problems/misdirected', title: 'The request is for another host.' },
  422: { type: '/problems/validation', title: 'The request is invalid.' },
  500: { type: '/problems/internal-error', title: 'Internal error of the emulator.' },
  503: { type: '/problems/unavailable', title: 'The service is unavailable.' },
} as const satisfies Readonly<Record<number, { type: ProblemType; title: string }>>;

type ProblemStatus = keyof typeof PROBLEM_KINDS;

export const JSON_HEADERS = { 'Content-Type': 'application/json' } as const;
export const TEXT_HEADERS = { 'Content-Type': 'text/plain; charset=utf-8' } as const;

export function problem(
  status: ProblemStatus,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): RawResponse {
  return withProblem({ ...PROBLEM_KINDS[status], status, detail }, headers);
}

/** A response that lists every finding of a body, by field path. @assumes A-204 */
export function validationProblem(findings: readonly Finding[]): RawResponse {
  const errors = [...groupBy(findings, ({ field }) => field)].map(
    ([field, found]) => [field, [...new Set(found.map(({ message }) => message))]] as const,
  );
  const count = errors.length === 1 ? 'One field is' : `${errors.length} fields are`;
  const body = {
    ...PROBLEM_KINDS[422],
    status: 422,
    detail: `${count} invalid.`,
    errors: Object.fromEntries(errors),
  };
  return withProblem(body);
}

interface ProblemDetails {
  readonly type: ProblemType;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: object;
}

function withProblem(
  body: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): RawResponse {
  const text = JSON.stringify(body);
  return { status: body.status, headers: { ...JSON_HEADERS, ...headers }, text, problem: body };
}

/** The response of a problem with the path of its request as `instance`. @assumes A-204 */
export function withInstance(response: RawResponse, path: string): RawResponse {
  const instance = path.replace(NOT_IN_A_URI, encodeURIComponent);
  return { ...response, text: JSON.stringify({ ...response.problem, instance }) };
}

const NOT_IN_A_URI = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/gi;

/** A response without a body. */
export function emptyResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): RawResponse {
  return { status, headers, text: '' };
}
