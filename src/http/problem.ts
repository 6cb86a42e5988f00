import { groupBy } from '../domain/lists.ts';
import type { Finding } from '../domain/rules.ts';
import type { ProblemType } from '../spec/problem-types.ts';
import type { RawResponse } from './message.ts';

/** The problem types: the stable reference and the constant title of each status. @assumes A-204 */
export const KINDS = {
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

export type ProblemStatus = keyof typeof KINDS;

export const JSON_HEADERS = { 'Content-Type': 'application/json' } as const;
export const TEXT_HEADERS = { 'Content-Type': 'text/plain; charset=utf-8' } as const;

export function problem(
  status: ProblemStatus,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): RawResponse {
  return withProblem({ ...KINDS[status], status, detail }, headers);
}

/** A response that lists every finding of a body, by field path. @assumes A-204 */
export function validationProblem(findings: readonly Finding[]): RawResponse {
  const errors = [...groupBy(findings, ({ field }) => field)].map(
    ([field, found]) => [field, [...new Set(found.map(({ message }) => message))]] as const,
  );
  const count = errors.length === 1 ? 'One field is' : `${errors.length} fields are`;
  const body = {
    ...KINDS[422],
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

/** The response with the path of its request as `instance`, if it is a problem. @assumes A-204 */
export function withInstance(response: RawResponse, path: string): RawResponse {
  if (!response.problem) return response;
  const instance = path.replace(NOT_IN_A_URI, encodeURIComponent);
  return { ...response, text: JSON.stringify({ ...response.problem, instance }) };
}

const NOT_IN_A_URI = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/gi;

/** A response without a body. */
export function bare(status: number, headers: Readonly<Record<string, string>> = {}): RawResponse {
  return { status, headers, text: '' };
}
