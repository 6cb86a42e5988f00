import type { ADDRESSES } from './addresses.ts';
import type { operations as controlOperations } from './control.d.ts';
import type { OperationSpec } from './document.ts';
import type { operations as publicOperations } from './openapi.d.ts';

/** The service's operations by id. Webhooks are left out, because they have no address. */
type PublicOperations = Pick<publicOperations, keyof publicOperations & keyof typeof ADDRESSES>;
export type ControlOperations = controlOperations;
/** The operations of both documents. */
export type Operations = PublicOperations & ControlOperations;
export type AnyOperationId = keyof Operations;

type Parameters<O, P extends string> = O extends { parameters: { [K in P]: infer V } } ? V : never;
type Given<T> = [T] extends [never] ? Record<string, never> : Exclude<T, undefined>;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? B
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? B | undefined
    : undefined;

/** A validated request. Its values have the types of the document. */
export interface CallOf<O> {
  readonly path: Given<Parameters<O, 'path'>>;
  readonly query: O extends { parameters: { query?: infer Q } }
    ? Exclude<Q, undefined> & object
    : Record<string, never>;
  readonly body: BodyOf<O>;
}

type Responses<O> = O extends { responses: infer R } ? R : never;
type ReplyContent<V> = V extends { content: { 'application/json': infer B } }
  ? { readonly body: B } & (V extends { content: { 'text/plain': string } } ? Worded : unknown)
  : { readonly body?: undefined };

interface Worded {
  /** The body as text, for callers that prefer plain text. */
  readonly text?: string;
}

/** A response that the document declares: a status, its body, and headers if any. */
export type ReplyOf<O> = {
  [S in keyof Responses<O>]: {
    readonly status: S;
    readonly headers?: Readonly<Record<string, string>>;
  } & ReplyContent<Responses<O>[S]>;
}[keyof Responses<O>];

export type OperationId = keyof PublicOperations;
export type Call<Id extends OperationId> = CallOf<PublicOperations[Id]>;
export type Reply<Id extends OperationId> = ReplyOf<PublicOperations[Id]>;

/** A body that can be any JSON value: the value, and its exact text. */
export interface VerbatimBody {
  readonly value: unknown;
  readonly text: string;
}

/**
 * What a request can do to an account. E0 reads. E1 is rejected, or computes without storing. E2 can be undone.
 * E3 stays but has no further effect. E4 moves money or reaches other people.
 */
export const EFFECTS = ['E0', 'E1', 'E2', 'E3', 'E4'] as const;
export type Effect = (typeof EFFECTS)[number];

/** Returns the effect of an executed request, from `x-effect` and `x-effect-if-true` of the document. */
export function effectOf({ effect, effectIfTrue }: OperationSpec, body: unknown): Effect {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const field = Object.keys(effectIfTrue).find((name) => fields[name] === true);
  return (field === undefined ? effect : effectIfTrue[field]) as Effect;
}

/** The values of `type` in problem responses. @assumes A-204 */
export type ProblemType = `/problems/${
  | 'bad-request'
  | 'conflict'
  | 'fault'
  | 'forbidden'
  | 'internal-error'
  | 'method-not-allowed'
  | 'misdirected'
  | 'not-found'
  | 'payload-too-large'
  | 'unavailable'
  | 'unsupported-encoding'
  | 'validation'
  | 'wait-timeout'}`;
