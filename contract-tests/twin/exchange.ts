import { routerOf } from 'billing-emulator/internals';
import { type Json, loadDocument, type OperationSpec, resolve } from 'billing-emulator/spec';
import { unpackBody } from '../proxy/body.ts';
import { pairsOf, type Traffic } from '../proxy/traffic.ts';
import type { ReadAnswer } from './compare.ts';
import { bodyOf } from './emulator.ts';
import type { Ordered } from './order.ts';
import { namesIn } from './translate.ts';

/** A request that a service answered, and what is to be known of it. */
export interface TwinExchange extends Ordered {
  readonly ordinal: number;
  /** Our time when it came. @units milliseconds since 1970 */
  readonly arrivedAt: number;
  readonly traffic: Traffic;
  /** Undefined where its body cannot be read. */
  readonly answer: ReadAnswer | undefined;
  readonly key: string | undefined;
  readonly operation: OperationSpec | undefined;
  /** Whether it is about an emulator's own interface or pages, of which the document says nothing. */
  readonly isOwn: boolean;
  readonly names: ReadonlySet<string>;
}

const OWN_PATH = /^\/(_emulator|hosted)\//;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

let router: ReturnType<typeof routerOf> | undefined;

/** Reads what passed. */
export function readExchange(traffic: Traffic, ordinal: number, arrivedAt: number): TwinExchange {
  const { method, target, arrived, ended } = traffic;
  const path = target.split('?')[0] as string;
  router ??= routerOf(loadDocument('openapi'));
  const route = router.find(method, path);
  const key = keyIn(traffic.rawRequestHeaders);
  return {
    ...{ ordinal, arrivedAt, arrived, ended, traffic, key },
    world: key ?? '',
    isWrite: !READS.has(method),
    answer: readAnswer(traffic),
    operation: route.kind === 'operation' ? route.operation : undefined,
    isOwn: OWN_PATH.test(path),
    names: namesIn(traffic),
  };
}

function readAnswer({ status, responseHeaders, responseBody }: Traffic): ReadAnswer | undefined {
  const bytes = responseBody && unpackBody(responseBody, responseHeaders['content-encoding']);
  return bytes && { status, headers: responseHeaders, body: bodyOf(bytes) };
}

/** Headers that a key may travel in. */
export const KEY_HEADER = /^(authorization|x-(.*-)?api-key)$/i;

function keyIn(rawHeaders: readonly string[]): string | undefined {
  const value = pairsOf(rawHeaders).find(([name]) => KEY_HEADER.test(name))?.[1];
  return value?.replace(/^Bearer +/i, '').trim();
}

/** Lower-case names of the headers that the document gives an answer. */
export function headersOf({ json }: OperationSpec, status: number): readonly string[] {
  const given = (json['responses'] as Readonly<Record<string, Json>>)[status];
  const answer = given && resolve(loadDocument('openapi').json, given);
  return Object.keys((answer?.['headers'] ?? {}) as object).map((name) => name.toLowerCase());
}
