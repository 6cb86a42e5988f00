import { omitNullish } from '../../domain/fields.ts';
import { describeChange, type RecordChange } from '../../store/record-changes.ts';
import { type Change, mergeChanges } from '../../store/row.ts';
import type { World } from '../../store/world.ts';
import { parseExact, serialise } from '../../text/exact-json.ts';
import {
  type Redact,
  redact,
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
