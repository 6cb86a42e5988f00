import { packageManifest } from '../../config/package-manifest.ts';
import { omitNullish } from '../../domain/fields.ts';
import { fromMillis } from '../../domain/instant.ts';
import { describeChange, type RecordChange } from '../../store/record-changes.ts';
import { type Change, mergeChanges } from '../../store/row.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import type { World } from '../../store/world.ts';
import { parseExact, serialise } from '../../text/exact-json.ts';
import {
  type Redact,
  redact,
  redactBody,
  redactHeaders,
  redacting,
  redactQuery,
  secretsIn,
} from '../../text/redaction.ts';
import type { Exchange } from './exchange.ts';

/** Returns a function that redacts the secrets of a request's headers in any text. */
export const redactorOf = ({ rawRequest }: Exchange): Redact =>
  redacting(secretsIn(rawRequest.headers));

/** Maximum characters of a shown body, and of all shown changes together. */
const MAX_CHARACTERS = 262_144;

/**
 * Formats an exchange for users: without secrets, bodies as JSON if they are JSON. Bodies and changes that are
 * too long are cut at the end.
 *
 * @assumes A-1405
 */
export function presentExchange(exchange: Exchange) {
  const { operation, rawRequest, requestBody, rawResponse } = exchange;
  const all = mergeChanges(exchange.changes);
  const redactIn = redactorOf(exchange);
  const sent = presentBody(requestBody.toString('utf8'), redactIn);
  const answered = presentBody(rawResponse.text, redactIn);
  const changes = firstChanges(all, exchange.world, redactIn);
  const truncated = omitNullish({
    request_body: sent.cut,
    response_body: answered.cut,
    changes: changes.length < all.length ? all.length : undefined,
  });
  return {
    ordinal: exchange.ordinal,
    request_id: exchange.requestId,
    at: exchange.at,
    ...(operation && { operation: operation.id }),
    owner: exchange.owner,
    method: rawRequest.method,
    path: redactIn(rawRequest.path),
    ...(rawRequest.search !== '' && { query: redactQuery(rawRequest.search, redactIn) }),
    status: rawResponse.status,
    ...(rawResponse.fault && { fault: rawResponse.fault.name }),
    request_headers: redactHeaders(rawRequest.headers, redactIn),
    ...(sent.body !== undefined && { request_body: sent.body }),
    response_headers: redactHeaders(rawResponse.headers, redactIn),
    ...(answered.body !== undefined && { response_body: answered.body }),
    changes,
    ...(Object.keys(truncated).length > 0 && { truncated }),
  };
}

/** Formats a body. `cut` is its full length in characters, if it is cut. */
function presentBody(
  text: string,
  redactIn: Redact,
): { readonly body?: unknown; readonly cut?: number } {
  const body = bodyOf(text, redactIn);
  if (text.length <= MAX_CHARACTERS) return { body };
  // Redact before the cut, because secrets are found by field names, and half a body cannot be parsed.
  const whole = typeof body === 'string' ? body : serialise(body).text;
  return { body: whole.slice(0, MAX_CHARACTERS), cut: text.length };
}

function firstChanges(all: readonly Change[], { tables }: World, redactIn: Redact): RecordChange[] {
  const changes: RecordChange[] = [];
  let characters = 0;
  for (const change of all) {
    const described = describeChange(change, (table, id) => tables[table].get(id), redactIn);
    characters += JSON.stringify(described).length;
    if (characters > MAX_CHARACTERS) break;
    changes.push(described);
  }
  return changes;
}

function bodyOf(text: string, redactIn: Redact): unknown {
  if (text === '') return undefined;
  try {
    return redact(parseExact(text), redactIn);
  } catch {
    return redactIn(text);
  }
}

/**
 * Formats exchanges as HAR 1.2, oldest first, without secrets. Times are the machine's. Unknown values are -1.
 *
 * @param baseUrl where requests went, without a slash at its end
 * @param redactIn what takes secrets out of their texts
 * @source https://w3c.github.io/web-performance/specs/HAR/Overview.html
 */
export function* harOf(
  exchanges: readonly Exchange[],
  baseUrl: string,
  redactIn: Redact,
): TimeSliced<object> {
  const entries: object[] = [];
  for (const exchange of exchanges) {
    if (!exchange.isMove) entries.push(entryOf(exchange, baseUrl, redactIn));
    yield;
  }
  const creator = { name: 'billing-emulator', version: packageManifest().version };
  return { log: { version: '1.2', creator, entries } };
}

function entryOf(exchange: Exchange, baseUrl: string, redactIn: Redact) {
  const { receivedAt, took, rawRequest, requestBody, rawResponse, requestId, at } = exchange;
  const { method, path, search } = rawRequest;
  const query = redactQuery(search, redactIn);
  const sent = redactBody(requestBody.toString('utf8'), redactIn);
  return {
    startedDateTime: fromMillis(receivedAt),
    time: took,
    request: {
      method,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      url: `${baseUrl}${redactIn(path)}${query === '' ? '' : `?${query}`}`,
      headers: headersOf(rawRequest.headers as Record<string, string>, redactIn),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...(sent !== '' && {
        postData: { mimeType: rawRequest.headers['content-type'] ?? '', text: sent },
      }),
      headersSize: -1,
      bodySize: requestBody.length,
    },
    response: responseOf(rawResponse, redactIn),
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    comment: `${requestId} at ${at} of the world's time`,
  };
}

function responseOf({ status, headers, text }: Exchange['rawResponse'], redactIn: Redact) {
  const size = Buffer.byteLength(text);
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(headers, redactIn),
    content: { size, mimeType: headers['Content-Type'] ?? '', text: redactBody(text, redactIn) },
    redirectURL: redactIn(headers['Location'] ?? ''),
    headersSize: -1,
    bodySize: size,
  };
}

const headersOf = (headers: Readonly<Record<string, string>>, redactIn: Redact) =>
  Object.entries(redactHeaders(headers, redactIn)).map(([name, value]) => ({ name, value }));
