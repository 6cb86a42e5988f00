import type { IncomingHttpHeaders } from 'node:http';
import { type Json, loadDocument, type OperationSpec, resolve } from 'billing-emulator/spec';
import { type ExactValue, parseExactValue, textsIn } from '../../kit/exact-json.ts';
import { findOperation } from '../../kit/operations.ts';
import { unpackBody } from '../../kit/target/unpack.ts';
import { pairsOf, type Traffic } from '../traffic.ts';
import { isInstant, tokensIn } from './id-map.ts';
import type { Ordered } from './order.ts';

export interface ReadResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined for none. */
  readonly body: ExactValue | undefined;
}

/** A request with the service's response and the facts that the comparison needs. */
export interface TwinExchange extends Ordered {
  readonly ordinal: number;
  /** The local time of its arrival. @units milliseconds since 1970 */
  readonly arrivedAt: number;
  readonly traffic: Traffic;
  /** Undefined where its body cannot be read. */
  readonly answer: ReadResponse | undefined;
  readonly key: string | undefined;
  readonly operation: OperationSpec | undefined;
  /** Whether it addresses the control API or pages, which the document does not cover. */
  readonly isOwn: boolean;
  readonly names: ReadonlySet<string>;
}

const OWN_PATH = /^\/(_emulator|hosted)\//;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function readExchange(traffic: Traffic, ordinal: number, arrivedAt: number): TwinExchange {
  const { method, target, arrived, ended } = traffic;
  const path = target.split('?')[0] as string;
  const key = keyIn(traffic.rawRequestHeaders);
  return {
    ordinal,
    arrivedAt,
    arrived,
    ended,
    traffic,
    key,
    world: key ?? '',
    isWrite: !READS.has(method),
    answer: readResponse(traffic),
    operation: findOperation(loadDocument('openapi'), method, path)?.operation,
    isOwn: OWN_PATH.test(path),
    names: namesIn(traffic),
  };
}

function readResponse({
  status,
  responseHeaders,
  responseBody,
}: Traffic): ReadResponse | undefined {
  const bytes = responseBody && unpackBody(responseBody, responseHeaders['content-encoding']);
  return bytes && { status, headers: responseHeaders, body: bodyOf(bytes) };
}

/** Headers that can carry the key. */
export const KEY_HEADER = /^(authorization|x-(.*-)?api-key)$/i;

function keyIn(rawHeaders: readonly string[]): string | undefined {
  const value = pairsOf(rawHeaders).find(([name]) => KEY_HEADER.test(name))?.[1];
  return value === undefined ? undefined : keyInHeader(value);
}

/** The key in a header that can carry one. */
export const keyInHeader = (value: string): string => value.replace(/^Bearer +/i, '').trim();

/** Lower-case names of the response headers in the document. */
export function headersOf({ json }: OperationSpec, status: number): readonly string[] {
  const given = (json['responses'] as Readonly<Record<string, Json>>)[status];
  const answer = given && resolve(loadDocument('openapi').json, given);
  return Object.keys((answer?.['headers'] ?? {}) as object).map((name) => name.toLowerCase());
}

/** Everything in a request that can identify an object: whole texts, and the tokens in them. */
export function namesIn({
  target,
  rawRequestHeaders,
  requestBody,
}: Pick<Traffic, 'target' | 'rawRequestHeaders' | 'requestBody'>): ReadonlySet<string> {
  const names = new Set<string>(tokensIn(target));
  for (const [, value] of queryOf(target)) names.add(value);
  for (const [name, value] of pairsOf(rawRequestHeaders))
    if (/^(x-.*-account|x-request-id)$/i.test(name)) names.add(value);
  for (const text of textsIn(read(requestBody))) {
    names.add(text);
    for (const token of tokensIn(text)) names.add(token);
  }
  return names;
}

export const queryOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.split('?')[1] ?? '');

function read(body: Buffer | undefined): ExactValue | undefined {
  try {
    return body?.length ? parseExactValue(body.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** The content of a body: parsed JSON, or a text when it is not JSON; undefined when it is empty. */
export function bodyOf(bytes: Buffer): ExactValue | undefined {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return parseExactValue(text);
  } catch {
    return text;
  }
}

/** The time at which a service handled a request. @units milliseconds since 1970 */
export interface ServiceTime {
  readonly best: number;
  /** No later than this. */
  readonly latest: number;
}

/** The largest difference at which two clocks count as equal. */
const IN_STEP = 2_000;

/**
 * Reads the service's time from the `Date` header, which has whole seconds. The time within the second comes from
 * instants in a write's response, else from the local clock if both clocks are close.
 */
export function timeOf({ answer, isWrite, arrivedAt }: TwinExchange): ServiceTime {
  const { headers, body, status } = answer as ReadResponse;
  const second = Date.parse(headers.date ?? '');
  if (Number.isNaN(second)) return { best: arrivedAt, latest: arrivedAt };
  const latest = second + 999;
  const told = isWrite && status < 300 ? [...textsIn(body)].filter(isInstant).map(Date.parse) : [];
  const within = told.filter((moment) => moment >= second && moment <= latest);
  if (within.length > 0) return { best: Math.min(...within), latest };
  const isInStep = Math.abs(arrivedAt - second) < IN_STEP;
  return { best: isInStep ? Math.min(Math.max(arrivedAt, second), latest) : second, latest };
}
