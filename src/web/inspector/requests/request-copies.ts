import type { Exchange } from '../../../http/log/exchange.ts';
import { redactText } from '../../../http/log/redaction.ts';
import { parseExact, serialiseForReading } from '../../../text/exact-json.ts';
import type { InspectorRequest } from '../inspector-request.ts';

/** A command that sends the same request again, under the key of the page. */
export function curlOf({ key, control, world }: InspectorRequest, exchange: Exchange): string {
  const { rawRequest, requestBody, owner } = exchange;
  const { method, path, search } = rawRequest;
  const { service_name } = control.settings;
  const headers = [
    `Authorization: Bearer ${key}`,
    ...(owner === world.accountId ? [] : [`X-${service_name}-Account: ${owner}`]),
    ...(requestBody.length > 0 ? [`Content-Type: ${rawRequest.headers['content-type']}`] : []),
  ];
  const parts = [
    `curl -X ${quoted(method)} ${quoted(`${control.baseUrl}${path}${search && `?${search}`}`)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(requestBody.length > 0
      ? [`--data-raw ${quoted(redactText(requestBody.toString('utf8')))}`]
      : []),
  ];
  return parts.join(' \\\n  ');
}

/** A text that a shell takes as it is. */
function quoted(text: string): string {
  return /^[\w/:.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A step that sends the same request in a fixture, as JSON, which YAML holds too. */
export function stepOf({ world }: InspectorRequest, exchange: Exchange): string | undefined {
  const { operation, path, owner, rawRequest, requestBody, rawResponse } = exchange;
  if (!operation) return undefined;
  const body = bodyOf(requestBody);
  if (requestBody.length > 0 && body === undefined) return undefined;
  const query = Object.fromEntries(new URLSearchParams(rawRequest.search));
  const step = {
    call: operation.id,
    ...(owner !== world.accountId && { account: owner }),
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query: literal(query) }),
    ...(body !== undefined && { body: literal(body) }),
    expect: rawResponse.status,
  };
  return `- ${serialiseForReading(step).replaceAll('\n', '\n  ')}`;
}

function bodyOf(bytes: Buffer): unknown {
  try {
    return bytes.length === 0 ? undefined : parseExact(redactText(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The same value, none of whose texts is taken for a reference. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]));
}
