import { parseExact } from '../domain/exact-json.ts';
import type { Change } from '../state/table.ts';
import type { Exchange } from './exchange.ts';
import { redact, redactHeaders, redactText } from './redaction.ts';

/** An exchange in a line: what was asked and how it was answered. */
export function presentSummary(exchange: Exchange) {
  const { ordinal, world, at, requestId, incoming, outgoing, arrival } = exchange;
  return {
    ordinal,
    request_id: requestId,
    at,
    ...(arrival.kind === 'operation' && { operation: arrival.operation.id }),
    owner: arrival.caller?.owner ?? world.accountId,
    method: incoming.method,
    path: redactText(incoming.path),
    ...(incoming.search !== '' && { query: redactText(incoming.search) }),
    status: outgoing.status,
    ...(outgoing.fault && { fault: outgoing.fault.name }),
  };
}

/** All of an exchange as shown to others: without secrets, its bodies as JSON where they are. */
export function presentExchange(exchange: Exchange) {
  const { incoming, requestBody, outgoing } = exchange;
  const sent = bodyOf(requestBody.toString('utf8'));
  const answered = bodyOf(outgoing.text);
  return {
    ...presentSummary(exchange),
    request_headers: redactHeaders(incoming.headers),
    ...(sent !== undefined && { request_body: sent }),
    response_headers: redactHeaders(outgoing.headers),
    ...(answered !== undefined && { response_body: answered }),
    changes: (outgoing.changes ?? []).map(presentChange),
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
