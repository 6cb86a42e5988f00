import { isDeepStrictEqual } from 'node:util';
import { jsonIn } from '../../text/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { type RequestMatch, type RequestSubject, validatesOf } from './request-match.ts';

/** Selects exchanges by request and response. */
export interface ExchangeMatch extends RequestMatch {
  /** The account that the request acts for. */
  readonly owner?: string;
  readonly status?: number;
  readonly request_id?: string;
  /** A value that the request's body must contain, at any depth. Other fields are allowed. */
  readonly body?: unknown;
  /** A value that the response's body must contain. */
  readonly response?: unknown;
}

/**
 * Compiles a match. The returned function lists the names of the criteria that an exchange fails; none if it
 * matches.
 */
export function compileMatch(match: ExchangeMatch): (exchange: Exchange) => string[] {
  const { owner, status, request_id, body, response } = match;
  const judges = [...validatesOf(match)];
  return (exchange) => {
    const subject = subjectOf(exchange);
    const differs = judges.filter(([, judge]) => !judge(subject)).map(([name]) => name);
    if (owner !== undefined && exchange.owner !== owner) differs.push('owner');
    if (status !== undefined && exchange.rawResponse.status !== status) differs.push('status');
    if (request_id !== undefined && exchange.requestId !== request_id) differs.push('request_id');
    if (body !== undefined && !holds(subject.body(), body)) differs.push('body');
    if (response !== undefined && !holds(responseOf(exchange), response)) differs.push('response');
    return differs;
  };
}

function subjectOf(exchange: Exchange): RequestSubject {
  return { ...exchange, body: () => bodyOf(exchange) };
}

const bodyOf = onceATurn(({ requestBody }) => jsonIn(requestBody.toString('utf8')));
const responseOf = onceATurn(({ rawResponse }) => jsonIn(rawResponse.text));

/**
 * Parses a text of an exchange once for all waits, which look at each new exchange one after the other. The value is
 * kept no longer, as it takes more memory than the text.
 */
function onceATurn(parse: (exchange: Exchange) => unknown): (exchange: Exchange) => unknown {
  let latest: { readonly exchange: Exchange; readonly value: unknown } | undefined;
  return (exchange) => {
    if (latest?.exchange === exchange) return latest.value;
    if (!latest) queueMicrotask(() => (latest = undefined));
    latest = { exchange, value: parse(exchange) };
    return latest.value;
  };
}

/** Whether a value contains another. Objects can have more fields; lists must have the same entries in order. */
function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((inner, place) => holds(value[place], inner))
    );
  return Object.entries(wanted).every(
    ([name, inner]) => Object.hasOwn(value, name) && holds(value[name as never], inner),
  );
}
