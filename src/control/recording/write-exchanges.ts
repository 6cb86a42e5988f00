import type { Instant } from '../../domain/instant.ts';
import { redactingCustomers } from '../../fixtures/recording/customer-names.ts';
import type { LoggedCall, LoggedSession } from '../../fixtures/recording/session.ts';
import { type WrittenFixture, writeFixture } from '../../fixtures/recording/write-fixture.ts';
import type { ScenarioStep } from '../../fixtures/scenario.ts';
import type { Exchange } from '../../http/log/exchange.ts';
import { harOf } from '../../http/log/present-exchange.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import type { World } from '../../store/world.ts';
import { serialiseForReading } from '../../text/exact-json.ts';
import { redacting, secretsIn } from '../../text/redaction.ts';

export interface ExchangeWriting {
  readonly expect: boolean;
  readonly redactCustomers: boolean;
}

/** Some exchanges of a world, at least one, as a fixture. */
export function writeExchanges(
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
export function writeHar(
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
  const wish = { expect: false, redactCustomers: false };
  const [step] = writeExchanges(exchange.world, [exchange], wish).scenario.steps;
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
