import { given } from '../../domain/given.ts';
import { RuleViolation } from '../../domain/rules.ts';
import type { CausedWebhookEvent } from '../../fixtures/recording/session.ts';
import type { Exchange } from '../../http/log/exchange.ts';
import type { LogRange } from '../../http/log/request-log.ts';
import { inSlices } from '../../store/resumable.ts';
import type { ControlContext, ControlHandler } from '../context.ts';
import { isVisible } from '../scope.ts';
import { recordingOf } from './recording.ts';
import { writeExchanges, writeHar } from './write-exchanges.ts';

/** @assumes A-1415 */
export const exportFixture: ControlHandler<'exportFixture'> = ({ query }, context) => {
  const { recorded = false, expect = false, redact_customers = false } = query;
  const { exchanges, ...known } = recorded ? recordedPart(context) : chosenPart(query, context);
  const wish = { expect, redactCustomers: redact_customers, ...known };
  const { scenario, remarks } = writeExchanges(context.world, exchanges, wish);
  const body = { fixture: scenario, remarks, steps: scenario.steps.length };
  return { status: 200, body: body as never };
};

/** @assumes A-1405 */
export const exportHar: ControlHandler<'exportHar'> = async ({ query }, context) => {
  const { exchanges } = chosenPart(query, context);
  const wish = { redactCustomers: query.redact_customers ?? false };
  const har = await inSlices(writeHar(exchanges, context.baseUrl, wish));
  return { status: 200, body: har as never };
};

function recordedPart(context: ControlContext) {
  const { from, to, isBroken } = recordingOf(context.world);
  if (isBroken)
    refuse('recorded', 'The world was replaced after the recording started. Record again.');
  const exchanges = partOf(given({ from, to }), context);
  return { exchanges, start: from.at, webhookEvents: causedBetween(from, to, context) };
}

/** The webhook events between two marks, those of the account that the call acts for. */
function causedBetween(
  from: { readonly sequence: number },
  to: { readonly sequence: number } | undefined,
  context: ControlContext,
): readonly CausedWebhookEvent[] {
  const { world } = context;
  return [...world.tables.webhook_events.values()]
    .filter(({ seq }) => seq > from.sequence && seq <= (to?.sequence ?? Infinity))
    .filter((row) => isVisible(context, row))
    .map(({ topic, owner, created_at, matched_destination_ids }) => ({
      ...{ topic, at: created_at, destinations: matched_destination_ids },
      ...(owner !== world.accountId && { account: owner }),
    }));
}

/** @throws RuleViolation where there is nothing in it */
function chosenPart({ after, until }: LogRange, context: ControlContext) {
  const exchanges = partOf(given({ after, until }), context);
  if (exchanges.length === 0) refuse('after', 'The request log has no requests in that range.');
  return { exchanges };
}

/** @throws RuleViolation where a part of it is kept no more */
function partOf(range: LogRange, context: ControlContext): readonly Exchange[] {
  const { requests, settings, world } = context;
  const { exchanges, lost } = requests.part(world, range);
  if (lost !== undefined) refuse('after', LOST(lost, settings.limits.MAX_LOGGED_REQUESTS));
  return exchanges.filter((exchange) => isVisible(context, exchange));
}

const LOST = (ordinal: number, limit: number): string =>
  `The request log has lost its requests up to ${ordinal}. It keeps at most the latest ${limit} of a world: ` +
  `export what is left after ${ordinal}.`;

function refuse(field: string, message: string): never {
  throw new RuleViolation([{ field, message }]);
}
