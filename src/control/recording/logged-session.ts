import type { Instant } from '../../domain/instant.ts';
import type { Exchange } from '../../http/log/exchange.ts';
import type { LoggedCall, LoggedSession } from '../../scenarios/recording/session.ts';
import { secretsIn } from '../../text/redaction.ts';

/** Exchanges of a world as a session that can be written as a fixture, from the time of the first one on. */
export function loggedSession(exchanges: readonly Exchange[]): LoggedSession {
  return {
    start: exchanges[0]?.at as Instant,
    calls: exchanges.map(loggedCall),
    secrets: new Set(exchanges.flatMap(({ rawRequest }) => secretsIn(rawRequest.headers))),
  };
}

function loggedCall(exchange: Exchange): LoggedCall {
  const { at, operation, rawRequest, path, owner, world, requestBody, rawResponse } = exchange;
  const fault = directiveOf(exchange);
  const { Location: location } = rawResponse.headers;
  return {
    ...{ operation: operation?.id, at, path },
    ...{ method: rawRequest.method, target: rawRequest.path, search: rawRequest.search },
    ...(owner !== world.accountId && { account: owner }),
    ...(fault !== undefined && { fault }),
    body: requestBody.toString('utf8'),
    status: rawResponse.fault?.connection ? 0 : rawResponse.status,
    answer: rawResponse.text,
    ...(location !== undefined && { location }),
  };
}

/** How a request asks for the fault that this one met; undefined where it met none, or only came late. */
function directiveOf({ rawResponse }: Exchange): string | undefined {
  const { fault, status, headers } = rawResponse;
  if (!fault) return undefined;
  if (headers['X-Emulator-State'] === 'unchanged') return `status=${status}`;
  if (!fault.connection) return undefined;
  // One that was carried out has the status that it was to be answered with.
  return status > 0 && fault.connection === 'empty'
    ? 'lost_response'
    : `connection=${fault.connection}`;
}
