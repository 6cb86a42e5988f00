import { parseExact, serialiseForReading } from '../../domain/exact-json.ts';
import type { Exchange } from '../../http/exchange.ts';
import { redactText } from '../../http/redaction.ts';
import type { Visit } from './visit.ts';

/** A command that sends the same request again, under the key of the page. */
export function curlOf({ key, control, world }: Visit, exchange: Exchange): string {
  const { incoming, requestBody, arrival } = exchange;
  const { method, path, search } = incoming;
  const owner = arrival.caller?.owner ?? world.accountId;
  const { service_name } = control.settings;
  const headers = [
    `Authorization: Bearer ${key}`,
    ...(owner === world.accountId ? [] : [`X-${service_name}-Account: ${owner}`]),
    ...(requestBody.length > 0 ? [`Content-Type: ${incoming.headers['content-type']}`] : []),
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
export function stepOf({ world }: Visit, exchange: Exchange): string | undefined {
  const { arrival, incoming, requestBody, outgoing } = exchange;
  if (arrival.kind !== 'operation') return undefined;
  const body = bodyOf(requestBody);
  if (requestBody.length > 0 && body === undefined) return undefined;
  const { owner } = arrival.caller;
  const query = Object.fromEntries(new URLSearchParams(incoming.search));
  const step = {
    call: arrival.operation.id,
    ...(owner !== world.accountId && { account: owner }),
    ...(Object.keys(arrival.path).length > 0 && { path: arrival.path }),
    ...(Object.keys(query).length > 0 && { query: literal(query) }),
    ...(body !== undefined && { body: literal(body) }),
    expect: outgoing.status,
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
