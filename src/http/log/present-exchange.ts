import type { Change } from '../../state/table.ts';
import { parseExact } from '../../text/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { redact, redactHeaders, redactText } from './redaction.ts';

/** An exchange in a line: what was asked and how it was answered. */
export function presentExchangeSummary(exchange: Exchange) {
  const { ordinal, owner, at, requestId, operation, rawRequest, rawResponse } = exchange;
  return {
    ordinal,
    request_id: requestId,
    at,
    ...(operation && { operation: operation.id }),
    owner,
    method: rawRequest.method,
    path: redactText(rawRequest.path),
    ...(rawRequest.search !== '' && { query: redactText(rawRequest.search) }),
    status: rawResponse.status,
    ...(rawResponse.fault && { fault: rawResponse.fault.name }),
  };
}

/** All of an exchange as shown to others: without secrets, its bodies as JSON where they are. */
export function presentExchange(exchange: Exchange) {
  const { rawRequest, requestBody, rawResponse } = exchange;
  const sent = bodyOf(requestBody.toString('utf8'));
  const answered = bodyOf(rawResponse.text);
  return {
    ...presentExchangeSummary(exchange),
    request_headers: redactHeaders(rawRequest.headers),
    ...(sent !== undefined && { request_body: sent }),
    response_headers: redactHeaders(rawResponse.headers),
    ...(answered !== undefined && { response_body: answered }),
    changes: (rawResponse.changes ?? []).map(presentChange),
  };
}

function bodyOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return redact(parseExact(text));
  } catch {
    return redactText(text);
  }
}

function presentChange({ table, id, before, after }: Change) {
  return {
    table,
    id,
    before: before === undefined ? null : (redact(before) as Readonly<Record<string, unknown>>),
    after: after === undefined ? null : (redact(after) as Readonly<Record<string, unknown>>),
  };
}
