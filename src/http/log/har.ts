import { fromMillis } from '../../domain/instant.ts';
import { redactBody, redactHeaders, redactText } from '../../text/redaction.ts';
import type { Exchange } from './exchange.ts';

/**
 * Exchanges as HAR 1.2, oldest first, without secrets. Its times are the machine's; what HAR does not know is -1.
 *
 * @param baseUrl where requests went, without a slash at its end
 * @source https://w3c.github.io/web-performance/specs/HAR/Overview.html
 */
export function harOf(exchanges: readonly Exchange[], baseUrl: string) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'billing-emulator', version: '1' },
      entries: exchanges.filter(({ isMove }) => !isMove).map((each) => entryOf(each, baseUrl)),
    },
  };
}

function entryOf(exchange: Exchange, baseUrl: string) {
  const { receivedAt, took, rawRequest, requestBody, rawResponse, requestId, at } = exchange;
  const { method, path, search } = rawRequest;
  const query = redactText(search);
  const sent = redactBody(requestBody.toString('utf8'));
  return {
    startedDateTime: fromMillis(receivedAt),
    time: took,
    request: {
      ...{ method, httpVersion: 'HTTP/1.1', cookies: [] },
      url: `${baseUrl}${redactText(path)}${query === '' ? '' : `?${query}`}`,
      headers: headersOf(rawRequest.headers as Record<string, string>),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...(sent !== '' && {
        postData: { mimeType: rawRequest.headers['content-type'] ?? '', text: sent },
      }),
      ...{ headersSize: -1, bodySize: requestBody.length },
    },
    response: responseOf(rawResponse),
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    comment: `${requestId} at ${at} of the world's time`,
  };
}

function responseOf({ status, headers, text }: Exchange['rawResponse']) {
  const size = Buffer.byteLength(text);
  return {
    ...{ status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [] },
    headers: headersOf(headers),
    content: { size, mimeType: headers['Content-Type'] ?? '', text: redactBody(text) },
    redirectURL: headers['Location'] ?? '',
    ...{ headersSize: -1, bodySize: size },
  };
}

const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(redactHeaders(headers)).map(([name, value]) => ({ name, value }));
