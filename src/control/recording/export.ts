import { given } from '../../domain/fields.ts';
import { RuleViolation } from '../../domain/rules.ts';
import type { Exchange } from '../../http/log/exchange.ts';
import type { LogRange } from '../../http/log/request-log.ts';
import { runTimeSliced } from '../../store/time-sliced.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { isVisible } from '../scope.ts';
import { writeExchanges, writeHar } from './write-exchanges.ts';

/** @assumes A-1405, A-1415 */
export const exportRequests: ControlHandler<'exportRequests'> = async ({ query }, context) => {
  const { format = 'fixture', expect = false, redact_customers: redactCustomers = false } = query;
  const exchanges = chosenPart(query, context);
  if (format === 'har') {
    const har = await runTimeSliced(writeHar(exchanges, context.baseUrl, { redactCustomers }));
    return { status: 200, body: har };
  }
  const { scenario, remarks } = writeExchanges(context.world, exchanges, {
    expect,
    redactCustomers,
  });
  const body = { fixture: scenario, remarks, steps: scenario.steps.length };
  return { status: 200, body: body as never };
};

/** @throws RuleViolation where there is nothing in it, or a part of it is kept no more */
function chosenPart({ after, until }: LogRange, context: ControlContext): readonly Exchange[] {
  const { requests, settings, world } = context;
  const { exchanges, lost } = requests.part(world, given({ after, until }));
  if (lost !== undefined) refuse(LOST(lost, settings.limits.MAX_LOGGED_REQUESTS));
  const visible = exchanges.filter((exchange) => isVisible(context, exchange));
  if (visible.length === 0) refuse('The request log has no requests in that range.');
  return visible;
}

const LOST = (ordinal: number, limit: number): string =>
  `The request log has lost its requests up to ${ordinal}. It keeps at most the latest ${limit} of a world: ` +
  `export what is left after ${ordinal}.`;

function refuse(message: string): never {
  throw new RuleViolation([{ field: 'after', message }]);
}
