import { refuseAll } from '../domain/rules.ts';
import type { Exchange } from '../http/log/exchange.ts';
import type { ExchangeMatch } from '../http/log/exchange-match.ts';
import { presentExchange } from '../http/log/present-exchange.ts';
import type { Near } from '../http/log/request-log.ts';
import { judgeOperationName } from '../http/operation-name.ts';
import { KINDS } from '../http/problem.ts';
import { loadDocument } from '../spec/document.ts';
import type { ControlContext, ControlHandler } from './context.ts';

const PRESET_SECONDS = 10;

export const listRequests: ControlHandler<'listRequests'> = ({ query }, context) => {
  const { after, limit = 100, offset = 0, ...match } = query;
  refuseUnknown(match.operation);
  const found = context.requests.list(context.world, { ...match, ...scopeOf(context) }, after);
  const items = found.slice(offset, offset + limit).map(present);
  return { status: 200, body: { items, total_count: found.length } };
};

export const clearRequests: ControlHandler<'clearRequests'> = (_call, { requests, world }) => {
  requests.clear(world);
  return { status: 204 };
};

export const waitForRequests: ControlHandler<'waitForRequests'> = async ({ body }, context) => {
  const { count, after, timeout_seconds, ...given } = body;
  refuseUnknown(given.operation);
  const outcome = await context.requests.wait(context.world, {
    match: { ...withoutNulls(given), ...scopeOf(context) },
    count: count ?? 1,
    after: after ?? 0,
    timeoutMs: (timeout_seconds ?? PRESET_SECONDS) * 1000,
  });
  const { found } = outcome;
  if (outcome.met)
    return { status: 200, body: { items: found.map(present), total_count: found.length } };
  const detail = `${found.length} of ${count ?? 1} requests fit.`;
  const nearest = outcome.nearest.map(presentNear);
  return { status: 408, body: { ...KINDS[408], status: 408, detail, nearest } };
};

/** An operation that is not there would be waited for in vain. */
function refuseUnknown(operation: string | null | undefined): void {
  refuseAll(judgeOperationName(operation, loadDocument('openapi'), 'operation'));
}

/** With the account header, a call sees that account's requests alone. @assumes A-1404 */
function scopeOf({ world, owner }: ControlContext): ExchangeMatch {
  return owner === world.accountId ? {} : { owner };
}

function withoutNulls(given: object): ExchangeMatch {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function presentNear({ exchange, differs }: Near) {
  return { differs: [...differs], request: present(exchange) };
}

function present(exchange: Exchange) {
  const presented = presentExchange(exchange);
  return { ...presented, changes: [...presented.changes] };
}
