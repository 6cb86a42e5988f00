import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { InterfaceDocument } from '../../spec/document.ts';
import { deriveFraction } from '../../state/ids.ts';
import type { World } from '../../state/world.ts';
import type { RawRequest, RoutedRequest } from '../api-pipeline.ts';
import { problem, type RawResponse } from '../problem.ts';
import { nameOfMet, textOf } from './effect-text.ts';
import {
  FAULT_HEADER,
  hasFaultDirective,
  type InvalidFaultRequest,
  readFaultDirective,
} from './fault-directive.ts';
import { type FaultRules, faultRulesOf } from './fault-rules.ts';
import { createMakeAnswer, type MakeAnswer } from './forced-answer.ts';
import { drawFrom, readLatency, readPeriod } from './latency-range.ts';
import { dropped, type Fault, forced, ownBody, touched } from './outcome.ts';
import type { OnClientClose, WaitEnd } from './waits.ts';

/** A request that arrived, and how it would be answered. */
export interface FaultRequest {
  readonly rawRequest: RawRequest;
  readonly routed: RoutedRequest;
  /** Undefined where it is too large to be read. */
  readonly body: Buffer | undefined;
  readonly onClientClose: OnClientClose;
  /** Carries it out. */
  proceed(): RawResponse | Promise<RawResponse>;
}

export interface FaultInjectorOptions {
  readonly document: InterfaceDocument;
  readonly settings: Settings;
  readonly log: Logger;
  /** Aborted when the emulator closes, so that nobody is kept waiting. */
  readonly closing: AbortSignal;
}

/**
 * Where requests meet faults, between the pipeline that knew their key and the handler: by their own headers, by
 * those of Prism, or by the rules of their world.
 */
export class FaultInjector {
  readonly #make: MakeAnswer;
  readonly #waiting = new Set<FaultRules>();

  constructor(private readonly parts: FaultInjectorOptions) {
    this.#make = createMakeAnswer(parts.document);
    parts.closing.addEventListener('abort', () => {
      for (const rules of this.#waiting) rules.waits.drop();
    });
  }

  /**
   * The answer of a request that meets a fault; undefined where it meets none. It becomes undefined where
   * the request shall be forgotten, as its world was reset or the emulator closed.
   */
  answer(request: FaultRequest): RawResponse | Promise<RawResponse | undefined> | undefined {
    try {
      const rawResponse = this.#answer(request);
      return rawResponse instanceof Promise
        ? rawResponse.catch((error) => this.#fail(error))
        : rawResponse;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): RawResponse {
    this.parts.log.error('Defect in a fault', error);
    return problem(500, `Defect in a fault: ${(error as Error)?.message ?? error}`);
  }

  #answer(request: FaultRequest): RawResponse | Promise<RawResponse | undefined> | undefined {
    const { rawRequest, routed } = request;
    const world = routed.caller?.world;
    if (!world) return undefined;
    const asks = hasFaultDirective(rawRequest);
    if (this.parts.settings.faults === 'off') return asks ? ignored(request) : undefined;
    const rules = faultRulesOf(world);
    const fault = (asks ? this.#asked(request, world) : undefined) ?? meet(request, world, rules);
    if (!fault) return undefined;
    if ('complaint' in fault) return problem(400, fault.complaint);
    const { latencyMs } = fault;
    if (latencyMs === undefined) return this.#perform(fault, request);
    return this.#delay(rules, latencyMs, request.onClientClose).then((end) => {
      if (end === 'dropped') return undefined;
      return end === 'left'
        ? dropped(`${fault.name}; the client left`)
        : this.#perform(fault, request);
    });
  }

  #delay(rules: FaultRules, latencyMs: number, onClientClose: OnClientClose): Promise<WaitEnd> {
    this.#waiting.add(rules);
    return rules.waits.wait(latencyMs, onClientClose).finally(() => {
      if (rules.waits.size === 0) this.#waiting.delete(rules);
    });
  }

  /** The fault that a request asks for, or what is wrong with its wish. */
  #asked(
    { rawRequest, routed }: FaultRequest,
    world: World,
  ): Fault | InvalidFaultRequest | undefined {
    const operation = routed.kind === 'operation' ? routed.operation : undefined;
    const asked = readFaultDirective(rawRequest, this.parts.document, operation);
    if (!asked || 'complaint' in asked) return asked;
    const { effect, dynamic, preference } = asked;
    const { seed, sandbox, environment, requests } = world;
    const parts = [seed, sandbox, environment, 'asked', requests];
    const span = effect.latency === undefined ? undefined : readLatency(effect.latency);
    const latencyMs = span && drawFrom(span, deriveFraction(parts));
    return {
      name: `asked for: ${textOf(effect, latencyMs)}`,
      effect,
      ...(latencyMs !== undefined && { latencyMs }),
      ...(effect.rate_limit && {
        retryAfter: Math.ceil((readPeriod(effect.rate_limit.period) ?? 0) / 1_000),
      }),
      ...(dynamic && { seed: parts.join(' ') }),
      ...(preference !== undefined && { preference }),
    };
  }

  #perform(fault: Fault, request: FaultRequest): RawResponse | Promise<RawResponse> {
    const { name, effect } = fault;
    if (effect.status !== undefined || effect.rate_limit) return this.#force(fault, request);
    if (effect.connection === 'reset' || effect.connection === 'empty')
      return dropped(name, effect.connection);
    const rawResponse = request.proceed();
    const ending = effect.lost_response ? 'empty' : effect.connection;
    return rawResponse instanceof Promise
      ? rawResponse.then((given) => touched(given, name, ending))
      : touched(rawResponse, name, ending);
  }

  #force(fault: Fault, { routed }: FaultRequest): RawResponse | Promise<RawResponse> {
    const { effect, retryAfter, seed } = fault;
    const operation = routed.kind === 'operation' ? routed.operation : undefined;
    const status = effect.status ?? 429;
    const detail =
      retryAfter === undefined
        ? `A fault on purpose, ${fault.name}.`
        : `Too many requests. One passes in ${retryAfter} s.`;
    const { example, body } = effect;
    if (body !== undefined) return forced(fault, status, ownBody(body));
    const made = this.#make(operation, {
      status,
      detail,
      ...(example !== undefined && { example }),
      ...(seed !== undefined && { seed }),
    });
    return made instanceof Promise
      ? made.then((answer) => forced(fault, status, answer))
      : forced(fault, status, made);
  }
}

/** The first rule that is applied to a request. */
function meet(request: FaultRequest, world: World, rules: FaultRules): Fault | undefined {
  if (rules.size === 0) return undefined;
  const { rawRequest, routed, body } = request;
  const isOperation = routed.kind === 'operation';
  let parsed: { readonly value: unknown } | undefined;
  const met = rules.meet({
    world,
    rawRequest,
    operation: isOperation ? routed.operation : undefined,
    path: isOperation ? routed.path : {},
    body() {
      parsed ??= { value: parseBody(body) };
      return parsed.value;
    },
  });
  return met && { name: nameOfMet(met), effect: met.rule, ...met };
}

function parseBody(bytes: Buffer | undefined): unknown {
  try {
    return bytes && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** The request goes on as if it had asked for nothing, and its answer says so. @assumes A-1414 */
function ignored({ proceed }: FaultRequest): RawResponse | Promise<RawResponse> {
  const rawResponse = proceed();
  return rawResponse instanceof Promise ? rawResponse.then(sayIgnored) : sayIgnored(rawResponse);
}

function sayIgnored(rawResponse: RawResponse): RawResponse {
  const headers = {
    ...rawResponse.headers,
    [FAULT_HEADER]: 'ignored; faults are switched off here',
  };
  return { ...rawResponse, headers };
}
