import { given } from '../domain/fields.ts';
import { throwIfInvalid } from '../domain/rules.ts';
import { compileMatch, type ExchangeMatch } from '../http/log/match.ts';
import { presentExchange } from '../http/log/present-exchange.ts';
import { pageOfBytes } from '../resources/paging.ts';
import { loadDocument } from '../spec/document.ts';
import { validateOperationName } from '../spec/findings.ts';
import type { ControlContext, ControlHandler } from './context.ts';
import { answerOnceThere, PRESET_SECONDS } from './wait-until.ts';

export const listRequests: ControlHandler<'listRequests'> = ({ query }, context) => {
  const { after, limit = 100, offset = 0, ...match } = query;
  refuseUnknown(match.operation);
  const found = context.requests.list(context.world, { ...match, ...scopeOf(context) }, after);
  const items = pageOfBytes(found.slice(offset, offset + limit), presentExchange);
  return { status: 200, body: { items, total_count: found.length } };
};

export const waitForRequests: ControlHandler<'waitForRequests'> = async ({ body }, context) => {
  const { requests, world, closing } = context;
  const { count: wanted, after, timeout_seconds, ...match } = body;
  const [count, seconds] = [wanted ?? 1, timeout_seconds ?? PRESET_SECONDS];
  refuseUnknown(match.operation);
  const filter = { ...given(match), ...scopeOf(context) };
  const differences = compileMatch(filter);
  const found = [...requests.list(world, filter, after ?? 0)];
  return answerOnceThere({
    ...{ what: 'requests', count, seconds, closing, world, present: presentExchange },
    find: () => found,
    watch: (review) =>
      requests.onExchange((exchange) => {
        const isMeant = exchange.world === world && exchange.ordinal > (after ?? 0);
        if (isMeant && differences(exchange).length === 0) found.unshift(exchange);
        review();
      }),
    others: () => requests.list(world, scopeOf(context), after ?? 0),
    differs: differences,
  });
};

/** Rejects an unknown operation: a call would wait for it in vain. */
function refuseUnknown(operation: string | null | undefined): void {
  throwIfInvalid(validateOperationName(operation, loadDocument('openapi'), 'operation'));
}

/** With the account header, a call sees that account's requests alone. @assumes A-1404 */
const scopeOf = ({ world, owner }: ControlContext): ExchangeMatch =>
  owner === world.accountId ? {} : { owner };
