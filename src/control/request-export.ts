import { given } from '../domain/fields.ts';
import type { Instant } from '../domain/instant.ts';
import { RuleViolation } from '../domain/rules.ts';
import { redactingCustomers } from '../fixtures/recording/customer-names.ts';
import type { LoggedCall, LoggedSession } from '../fixtures/recording/session.ts';
import { type WrittenFixture, writeFixture } from '../fixtures/recording/write-fixture.ts';
import type { ScenarioStep } from '../fixtures/scenario.ts';
import type { Exchange } from '../http/log/exchange.ts';
import { harOf } from '../http/log/present-exchange.ts';
import type { LogRange } from '../http/log/request-log.ts';
import { runTimeSliced, type TimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { serialiseForReading } from '../text/exact-json.ts';
import { redacting, secretsIn } from '../text/redaction.ts';
import type { ControlContext, ControlHandler } from './context.ts';
import { isVisible } from './scope.ts';

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

interface ExchangeWriting {
  readonly expect: boolean;
  readonly redactCustomers: boolean;
}

/** Some exchanges of a world, at least one, as a fixture. */
function writeExchanges(
  { environment, sandbox }: World,
  exchanges: readonly Exchange[],
  { expect, redactCustomers }: ExchangeWriting,
): WrittenFixture {
  return writeFixture(loggedSession(exchanges), {
    about: `${exchanges.length} exchanges recorded in ${environment}/${sandbox}`,
    ...{ expect, redactCustomers, hasExactTimes: true },
  });
}

/** Exchanges as an HTTP archive, without the secrets of their headers wherever these stand. */
function writeHar(
  exchanges: readonly Exchange[],
  baseUrl: string,
  { redactCustomers }: Pick<ExchangeWriting, 'redactCustomers'>,
): TimeSliced<object> {
  const { secrets, calls } = loggedSession(exchanges);
  const withoutSecrets = redacting(secrets);
  const withoutNames = redactCustomers ? redactingCustomers(calls) : String;
  return harOf(exchanges, baseUrl, (text) => withoutNames(withoutSecrets(text)));
}

/** A request as a step of a fixture, in JSON, which YAML holds too; undefined where no step can send it. */
export function stepTextOf(exchange: Exchange): string | undefined {
  const options = { expect: false, redactCustomers: false };
  const [step] = writeExchanges(exchange.world, [exchange], options).scenario.steps;
  return step && `- ${serialiseForReading(step as ScenarioStep).replaceAll('\n', '\n  ')}`;
}

/** Exchanges of a world as a session that can be written as a fixture, from the time of the first one on. */
function loggedSession(exchanges: readonly Exchange[]): LoggedSession {
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
