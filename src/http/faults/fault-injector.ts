import { ContractKitMissing } from '../../config/contract-kit.ts';
import type { Settings } from '../../config/settings.ts';
import type { FaultRule } from '../../faults/fault-rule.ts';
import { type FaultRules, faultRulesOf } from '../../faults/fault-rules.ts';
import { nameOfMet, textOf } from '../../faults/fault-text.ts';
import { drawFrom, readLatency, readPeriod } from '../../faults/latency-range.ts';
import type { OnClientClose, WaitEnd } from '../../faults/waits.ts';
import type { InterfaceDocument } from '../../spec/document.ts';
import { ADMIN_HEADER } from '../../spec/header-names.ts';
import { deriveFraction } from '../../store/ids.ts';
import { jsonIn } from '../../text/json-in.ts';
import { carriesToken } from '../admin-token.ts';
import { judgesOf } from '../log/request-match.ts';
import type { RawRequest } from '../message.ts';
import { FORGOTTEN, type RawResponse } from '../message.ts';
import { problem } from '../problem.ts';
import type { RequestFaults, StepContext } from '../request-context.ts';
import { FAULT_HEADER, hasFaultDirective, readFaultDirective } from './fault-directive.ts';
import {
  createMakeAnswer,
  dropped,
  type Fault,
  forced,
  type MadeAnswer,
  type MakeAnswer,
  ownBody,
  touched,
} from './forced-answer.ts';

export interface FaultInjectorOptions {
  readonly document: InterfaceDocument;
  readonly settings: Settings;
  /** Aborted when the emulator closes, to end all delays. */
  readonly closing: AbortSignal;
}

/**
 * Applies faults to requests, after authentication and before the handler. A fault comes from the request's own
 * header, from a `Prefer` header as Prism reads it, or from the rules of the world.
 */
export class FaultInjector implements RequestFaults {
  readonly #make: MakeAnswer;
  readonly #waiting = new Set<FaultRules>();

  constructor(private readonly parts: FaultInjectorOptions) {
    this.#make = createMakeAnswer(parts.document);
    parts.closing.addEventListener('abort', () => {
      for (const rules of this.#waiting) rules.waits.drop();
    });
  }

  /** Rejects a request that asks for a fault without the token, if one is required. @assumes A-1401 */
  guard(rawRequest: RawRequest): RawResponse | undefined {
    const { settings } = this.parts;
    const isFree = settings.faults === 'off' || settings.without_token.includes('faults');
    if (isFree || carriesToken(rawRequest, settings)) return undefined;
    return hasFaultDirective(rawRequest) ? NEEDS_TOKEN : undefined;
  }

  inject(context: StepContext): void | Promise<void> {
    const { rawRequest, caller, source } = context;
    const asks = hasFaultDirective(rawRequest);
    if (this.parts.settings.faults === 'off') {
      if (asks) context.alter = sayIgnored;
      return;
    }
    const rules = faultRulesOf(caller.world);
    const fault = (asks ? this.#asked(context) : undefined) ?? meet(context, rules);
    if (!fault) return;
    const { latencyMs } = fault;
    // Fixtures run without delays.
    if (latencyMs === undefined || source.inProcessWorld) return this.#perform(fault, context);
    return this.#delay(rules, latencyMs, source.onClientClose).then((end) => {
      if (end === 'over') return this.#perform(fault, context);
      context.response =
        end === 'left' ? dropped(`${fault.name}; the client disconnected`) : FORGOTTEN;
    });
  }

  #delay(rules: FaultRules, latencyMs: number, onClientClose: OnClientClose): Promise<WaitEnd> {
    this.#waiting.add(rules);
    return rules.waits.wait(latencyMs, onClientClose).finally(() => {
      if (rules.waits.size === 0) this.#waiting.delete(rules);
    });
  }

  /** Returns the fault that a request asks for. @throws Unreadable */
  #asked({ rawRequest, operation, caller }: StepContext): Fault | undefined {
    const asked = readFaultDirective(rawRequest, this.parts.document, operation);
    if (!asked) return undefined;
    const { effect, dynamic, preference } = asked;
    const { seed, sandbox, environment, requests } = caller.world;
    const parts = [seed, sandbox, environment, 'asked', requests];
    const span = effect.latency === undefined ? undefined : readLatency(effect.latency);
    const latencyMs = span && drawFrom(span, deriveFraction(parts));
    const period = effect.rate_limit && (readPeriod(effect.rate_limit.period) ?? 0);
    return {
      name: `asked for: ${textOf(effect, latencyMs)}`,
      ...{ effect, latencyMs, preference },
      retryAfter: period === undefined ? undefined : Math.ceil(period / 1_000),
      seed: dynamic ? parts.join(' ') : undefined,
    };
  }

  #perform(fault: Fault, context: StepContext): void | Promise<void> {
    const { name, effect } = fault;
    if (effect.status !== undefined || effect.rate_limit) return this.#force(fault, context);
    if (effect.connection === 'reset' || effect.connection === 'empty')
      context.response = dropped(name, effect.connection);
    else
      context.alter = (response) =>
        touched(response, name, effect.lost_response ? 'empty' : effect.connection);
  }

  #force(fault: Fault, context: StepContext): void | Promise<void> {
    const { effect, retryAfter, seed } = fault;
    const status = effect.status ?? 429;
    const detail =
      retryAfter === undefined
        ? `An injected fault, ${fault.name}.`
        : `Too many requests. Try again in ${retryAfter} s.`;
    const { example, body } = effect;
    const answer = (made: MadeAnswer) => {
      context.response = forced(fault, status, made);
    };
    if (body !== undefined) return answer(ownBody(body));
    const made = this.#make(context.operation, { status, detail, example, seed });
    if (!(made instanceof Promise)) return answer(made);
    return made.then(answer).catch((error: unknown) => {
      if (!(error instanceof ContractKitMissing)) throw error;
      context.response = problem(400, error.message);
    });
  }
}

const NEEDS_TOKEN = problem(
  403,
  `A request that asks for a fault needs ${ADMIN_HEADER}, or the setting without_token with faults.`,
);

/** Returns the fault of the first rule that applies to a request. */
function meet(context: StepContext, rules: FaultRules): Fault | undefined {
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
  const met = rules.meet(
    (rule) => rule.delivery === undefined && judgesFor(rule).every((judge) => judge(subject)),
  );
  return met && { name: nameOfMet(met), effect: met.rule, ...met };
}

const JUDGES = new WeakMap<FaultRule, ReturnType<typeof compile>>();
const compile = ({ match = {} }: FaultRule) => [...judgesOf(match).values()];

function judgesFor(rule: FaultRule): ReturnType<typeof compile> {
  const judges = JUDGES.get(rule) ?? compile(rule);
  JUDGES.set(rule, judges);
  return judges;
}

/** Marks the response of a request whose fault is ignored. @assumes A-1414 */
function sayIgnored(rawResponse: RawResponse): RawResponse {
  const headers = { ...rawResponse.headers, [FAULT_HEADER]: 'ignored; faults are disabled' };
  return { ...rawResponse, headers };
}
