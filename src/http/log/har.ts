import { packageManifest } from '../../config/package-manifest.ts';
import { fromMillis } from '../../domain/instant.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import { type Redact, redactBody, redactHeaders, redactQuery } from '../../text/redaction.ts';
import type { Exchange } from './exchange.ts';

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
