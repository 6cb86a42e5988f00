import { omitNullish } from '../domain/fields.ts';
import type { Instant } from '../domain/instant.ts';
import type { Limits } from '../domain/limits.ts';
import { RuleViolation, throwIfInvalid } from '../domain/rules.ts';
import { redactingCustomers } from '../fixtures/recording/customer-names.ts';
import type { LoggedCall, LoggedSession } from '../fixtures/recording/session.ts';
import { type WrittenFixture, writeFixture } from '../fixtures/recording/write-fixture.ts';
import type { ScenarioStep } from '../fixtures/scenario.ts';
import type { Exchange } from '../http/log/exchange.ts';
import { harOf } from '../http/log/har.ts';
import { differencesFrom, type ExchangeMatch } from '../http/log/match.ts';
import { presentExchange } from '../http/log/present-exchange.ts';
import type { LogRange } from '../http/log/request-log.ts';
import { pageOfBytes } from '../resources/paging.ts';
import { loadDocument } from '../spec/document.ts';
import { validateOperationName } from '../spec/findings.ts';
import { runTimeSliced, type TimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { serialiseForReading } from '../text/exact-json.ts';
import { redacting, secretsIn } from '../text/redaction.ts';
import type { ControlContext, ControlHandler } from './context.ts';
import { isVisible } from './scope.ts';
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
  const filter = { ...omitNullish(match), ...scopeOf(context) };
  const differs = (exchange: Exchange) => differencesFrom(filter, exchange);
  const found = [...requests.list(world, filter, after ?? 0)];
  return answerOnceThere({
    what: 'requests',
    count,
    seconds,
    closing,
    world,
    present: presentExchange,
    find: () => found,
    watch: (review) =>
      requests.onExchange((exchange) => {
        const isMeant = exchange.world === world && exchange.ordinal > (after ?? 0);
        if (isMeant && differs(exchange).length === 0) found.unshift(exchange);
        review();
      }),
    others: () => requests.list(world, scopeOf(context), after ?? 0),
    differs,
  });
};

/** Rejects an unknown operation: a call would wait for it in vain. */
function refuseUnknown(operation: string | null | undefined): void {
  throwIfInvalid(validateOperationName(operation, loadDocument('openapi'), 'operation'));
}

/** With the account header, a call sees that account's requests alone. @assumes A-1404 */
const scopeOf = ({ world, owner }: ControlContext): ExchangeMatch =>
  owner === world.accountId ? {} : { owner };

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

/** @throws RuleViolation if it is empty, or the log has lost a part of it */
function chosenPart({ after, until }: LogRange, context: ControlContext): readonly Exchange[] {
  const { requests, settings, world } = context;
  const { exchanges, lost } = requests.part(world, omitNullish({ after, until }));
  if (lost !== undefined) refuse(LOST(lost, settings.limits));
  const visible = exchanges.filter((exchange) => isVisible(context, exchange));
  if (visible.length === 0) refuse('The request log has no requests in that range.');
  return visible;
}

const LOST = (ordinal: number, { MAX_LOGGED_REQUESTS, MAX_LOG_BYTES }: Limits): string =>
  `The request log has lost its requests up to ${ordinal}. It keeps at most the latest ${MAX_LOGGED_REQUESTS} of a ` +
  `world, and ${MAX_LOG_BYTES / 2 ** 20} MiB of all worlds: export what is left after ${ordinal}.`;

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
    expect,
    redactCustomers,
    hasExactTimes: true,
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
    operation: operation?.id,
    at,
    path,
    method: rawRequest.method,
    target: rawRequest.path,
    search: rawRequest.search,
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
