import { type Json, loadDocument, type OperationSpec, resolve } from 'billing-emulator/spec';
import { findOperation } from '../../kit/operations.ts';
import { unpackBody } from '../body.ts';
import { pairsOf, type Traffic } from '../traffic.ts';
import type { ReadAnswer } from './compare.ts';
import { bodyOf } from './emulator.ts';
import type { Ordered } from './order.ts';
import { namesIn } from './translate.ts';

/** A request with the service's response and the facts that the comparison needs. */
export interface TwinExchange extends Ordered {
  readonly ordinal: number;
  /** The local time of its arrival. @units milliseconds since 1970 */
  readonly arrivedAt: number;
  readonly traffic: Traffic;
  /** Undefined where its body cannot be read. */
  readonly answer: ReadAnswer | undefined;
  readonly key: string | undefined;
  readonly operation: OperationSpec | undefined;
  /** Whether it addresses the emulator's own interface or pages, which the document does not cover. */
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
    ...{ ordinal, arrivedAt, arrived, ended, traffic, key },
    world: key ?? '',
    isWrite: !READS.has(method),
    answer: readAnswer(traffic),
    operation: findOperation(loadDocument('openapi'), method, path)?.operation,
    isOwn: OWN_PATH.test(path),
    names: namesIn(traffic),
  };
}

function readAnswer({ status, responseHeaders, responseBody }: Traffic): ReadAnswer | undefined {
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
