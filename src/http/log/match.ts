import { isDeepStrictEqual } from 'node:util';
import { jsonIn } from '../../text/exact-json.ts';
import type { Exchange } from './exchange.ts';

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
  const criteria = [...criteriaOf(match)];
  return (exchange) => {
    const subject = subjectOf(exchange);
    const differs = criteria.filter(([, isMet]) => !isMet(subject)).map(([name]) => name);
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

/** Selects requests. An absent criterion matches any. */
interface RequestMatch {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly customer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a request that a match can test. */
interface RequestSubject extends Pick<Exchange, 'world' | 'rawRequest' | 'operation' | 'path'> {
  /** Returns the parsed body. It is only parsed on use. */
  body(): unknown;
}

type Criterion = (subject: RequestSubject) => boolean;

/** The criteria of a match, by name. */
export function criteriaOf(match: RequestMatch): ReadonlyMap<string, Criterion> {
  const { operation, method, path, customer, headers } = match;
  const criteria = new Map<string, Criterion>();
  if (operation !== undefined)
    criteria.set('operation', (each) => each.operation?.id === operation);
  if (method !== undefined)
    criteria.set('method', (each) => each.rawRequest.method === method.toUpperCase());
  if (path !== undefined) {
    const fits = compilePath(path);
    criteria.set('path', (each) => fits(each.rawRequest.path));
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const header = name.toLowerCase();
    criteria.set(`headers.${name}`, (each) => each.rawRequest.headers[header] === value);
  }
  if (customer !== undefined) criteria.set('customer', (each) => concerns(each, customer));
  return criteria;
}

/** Whether a request names a customer in its path, query or body, by its id or external id. */
function concerns(subject: RequestSubject, wanted: string): boolean {
  return namesOf(subject).some((name) => {
    if (name === wanted) return true;
    const row = subject.world.tables.customers.get(name);
    if (row) return row.external_id === wanted;
    return subject.world.tables.customers.get(wanted)?.external_id === name;
  });
}

function namesOf({ path, rawRequest, operation, body }: RequestSubject): readonly string[] {
  const query = new URLSearchParams(rawRequest.search);
  const sent = body() as Readonly<Record<string, unknown>> | undefined;
  const creates = operation?.id === 'createCustomer';
  const named = [
    path['customerId'],
    query.get('customer_id'),
    query.get('customer_external_id'),
    sent?.['customer_id'],
    sent?.['customer_external_id'],
    creates ? sent?.['external_id'] : undefined,
  ];
  return named.filter((name) => typeof name === 'string');
}

/**
 * Compiles a path pattern. `*` matches any part of one segment, `**` any part of a path. All possible matches
 * are followed at once, so that no pattern is slow.
 */
export function compilePath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return (path) => path === pattern;
  const tokens = pattern.match(/\*+|[^*]/g) ?? [];
  return (path) => {
    let places = withSkippedStars(tokens, [0]);
    for (let at = 0; at < path.length && places.size > 0; at += 1)
      places = withSkippedStars(tokens, placesAfter(tokens, places, path.charAt(at)));
    return places.has(tokens.length);
  };
}

/** The places in a pattern that a path can have reached after one more character. */
function* placesAfter(
  tokens: readonly string[],
  places: ReadonlySet<number>,
  character: string,
): Generator<number> {
  for (const place of places) {
    const token = tokens[place];
    const isStar = token?.startsWith('*');
    if (isStar && (token !== '*' || character !== '/')) yield place;
    if (!isStar && token === character) yield place + 1;
  }
}

/** Adds the place after each star, because a star can match nothing. */
function withSkippedStars(tokens: readonly string[], reached: Iterable<number>): Set<number> {
  const places = new Set(reached);
  for (const place of places) if (tokens[place]?.startsWith('*')) places.add(place + 1);
  return places;
}
