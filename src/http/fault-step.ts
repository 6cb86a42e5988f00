import { STATUS_CODES } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { type Ending, type FaultEffect, readLatency, readPeriod } from '../faults/rule.ts';
import { type FaultRules, faultRulesOf } from '../faults/rules.ts';
import { FAULT_HEADER, InvalidEffect, nameOfMatched, readEffect, textOf } from '../faults/text.ts';
import type { OnClientClose, WaitEnd } from '../faults/waits.ts';
import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../spec/document.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import { Stopping } from '../store/worlds.ts';
import { jsonIn } from '../text/exact-json.ts';
import { carriesToken } from './credentials.ts';
import { BadRequest } from './input.ts';
import { matchesRequest } from './log/match.ts';
import { ABORTED, JSON_HEADERS, problem, type RawRequest, type RawResponse } from './message.ts';
import type { StepContext } from './request-context.ts';

const RECEIVED_HEADER = FAULT_HEADER.toLowerCase();

/** A fault that is applied to a request. */
interface Fault {
  /** Its name in the request log and in the response. */
  readonly name: string;
  readonly effect: FaultEffect;
  /** @units whole seconds */
  readonly retryAfter?: number | undefined;
}

interface FaultInjectorOptions {
  readonly document: InterfaceDocument;
  readonly settings: Settings;
  /** Aborted when the emulator closes, to end all delays. */
  readonly closing: AbortSignal;
}

/**
 * Applies faults to requests, after authentication and before the handler. A fault comes from the request's own
 * header, or from the rules of the world.
 */
export class FaultInjector {
  readonly #waiting = new Set<FaultRules>();

  constructor(private readonly parts: FaultInjectorOptions) {
    parts.closing.addEventListener('abort', () => {
      for (const rules of this.#waiting) rules.waits.drop();
    });
  }

  /**
   * Applies the fault of a request: a delay, another response, or a change of the response. Rejects a request that asks
   * for one without the token, if that is required.
   *
   * @assumes A-1401
   */
  inject(context: StepContext): void | Promise<void> {
    const { rawRequest, caller, source } = context;
    const asks = rawRequest.headers[RECEIVED_HEADER] !== undefined;
    // A step of a fixture meets no rules.
    if (!asks && source.inProcessWorld) return;
    if (asks && !this.#mayAsk(rawRequest)) {
      context.response = NEEDS_TOKEN;
      return;
    }
    const rules = faultRulesOf(caller.world);
    const fault = asks ? readAsked(rawRequest) : matchFault(context, rules);
    if (!fault) return;
    const { latency } = fault.effect;
    // Fixtures run without delays.
    if (latency === undefined || source.inProcessWorld) return this.#perform(fault, context);
    return this.#delay(rules, readLatency(latency) ?? 0, source.onClientClose).then((end) => {
      if (end === 'over') return this.#perform(fault, context);
      if (end === 'left') context.response = dropped(`${fault.name}; the client disconnected`);
      else if (this.parts.closing.aborted) throw new Stopping();
      else context.response = ABORTED;
    });
  }

  #mayAsk(rawRequest: RawRequest): boolean {
    const { settings } = this.parts;
    return settings.without_token.includes('faults') || carriesToken(rawRequest, settings);
  }

  #delay(rules: FaultRules, latencyMs: number, onClientClose: OnClientClose): Promise<WaitEnd> {
    this.#waiting.add(rules);
    return rules.waits.wait(latencyMs, onClientClose).finally(() => {
      if (rules.waits.size === 0) this.#waiting.delete(rules);
    });
  }

  #perform(fault: Fault, context: StepContext): void {
    const { name, effect } = fault;
    if (effect.status !== undefined || effect.rate_limit)
      context.response = forced(fault, this.parts.document, context.operation);
    else if (effect.connection === 'reset' || effect.connection === 'empty')
      context.response = dropped(name, effect.connection);
    else
      context.alter = (response) =>
        markedByFault(response, name, effect.lost_response ? 'empty' : effect.connection);
  }
}

const NEEDS_TOKEN = problem(
  403,
  `A request that asks for a fault needs ${ADMIN_HEADER}, or the setting without_token with faults.`,
);

/** The fault that a request asks for. @throws BadRequest */
function readAsked({ headers }: RawRequest): Fault {
  try {
    const effect = readEffect(String(headers[RECEIVED_HEADER]), FAULT_HEADER);
    const period = effect.rate_limit && (readPeriod(effect.rate_limit.period) ?? 0);
    const retryAfter = period === undefined ? undefined : Math.ceil(period / 1_000);
    return { name: `asked for: ${textOf(effect)}`, effect, retryAfter };
  } catch (error) {
    throw error instanceof InvalidEffect ? new BadRequest(error.message) : error;
  }
}

/** The fault of the first rule that applies to a request. */
function matchFault(context: StepContext, rules: FaultRules): Fault | undefined {
  if (rules.size === 0) return undefined;
  const { rawRequest, operation, path, caller } = context;
  let parsed: { readonly value: unknown } | undefined;
  const subject = {
    world: caller.world,
    rawRequest,
    operation,
    path,
    body() {
      parsed ??= { value: jsonIn(context.body.toString('utf8')) };
      return parsed.value;
    },
  };
  const matched = rules.match(
    ({ delivery, match = {} }) => delivery === undefined && matchesRequest(match, subject),
  );
  return matched && { name: nameOfMatched(matched), effect: matched.rule, ...matched };
}

/** Ends the connection without a response, before the request has an effect. The status is 0. */
function dropped(name: string, ending: Ending = 'empty'): RawResponse {
  return { status: 0, headers: {}, text: '', fault: { name, connection: ending } };
}

/** Marks the response of a request that was executed, but was delayed or cut off by a fault. */
function markedByFault(
  rawResponse: RawResponse,
  name: string,
  ending: Ending | undefined,
): RawResponse {
  return {
    ...rawResponse,
    headers: { ...rawResponse.headers, [FAULT_HEADER]: name },
    fault: { name, ...(ending && { connection: ending }) },
  };
}

/**
 * The response of a forced status: with the first example of the document. An error that the document does not
 * declare gets a problem body, any other undeclared status none.
 *
 * @assumes A-1412
 */
function forced(
  { name, effect, retryAfter }: Fault,
  document: InterfaceDocument,
  operation: OperationSpec | undefined,
): RawResponse {
  const status = effect.status ?? 429;
  const pointer = operation?.replies.get(status);
  const detail =
    retryAfter === undefined
      ? `An injected fault, ${name}.`
      : `Too many requests. Try again in ${retryAfter} s.`;
  const undeclared =
    status < 400
      ? undefined
      : { type: '/problems/fault', title: `${STATUS_CODES[status] ?? 'Fault'}.`, status, detail };
  const body = pointer ? exampleAt(document, pointer) : pointer === null ? undefined : undeclared;
  return {
    status,
    text: body === undefined ? '' : JSON.stringify(body),
    headers: {
      ...(body !== undefined && JSON_HEADERS),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...effect.headers,
      [FAULT_HEADER]: name,
      'X-Emulator-State': 'unchanged',
    },
    fault: { name },
  };
}

/** The first example beside the schema of a response. */
function exampleAt(document: InterfaceDocument, pointer: string): unknown {
  const media = resolve(document.json, { $ref: pointer.replace(/\/schema$/, '') });
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values((media['examples'] ?? {}) as Record<string, Json>);
  return first?.['value'];
}
