import { validateHeaderName, validateHeaderValue } from 'node:http';
import { parseDuration } from '../domain/instant.ts';
import { type Finding, finding } from '../domain/rules.ts';
import type { components } from '../spec/control.d.ts';
import type { InterfaceDocument } from '../spec/document.ts';
import { validateOperationName } from '../spec/findings.ts';
import { validateTopic } from '../spec/topics.ts';

type Schemas = components['schemas'];

/** Which fault is injected into which requests or deliveries, and when. */
export type FaultRule = Schemas['FaultRule'];

/** The effect of a fault: at most one of `FAULT_OUTCOMES`, and a latency. */
export type FaultEffect = Omit<FaultRule, 'name' | 'match' | 'skip' | 'times'>;

/** How a connection ends without a response: refused before the request runs, or cut after it. */
export type Ending = Schemas['FaultConnection'];

/** The parts of an effect that exclude each other. A delivery may be given a `status`. */
const FAULT_OUTCOMES = ['status', 'connection', 'rate_limit', 'lost_response', 'delivery'] as const;

/** The maximum number of rules in a world. @assumes A-1411 */
export const MAX_RULES = 100;

const MAX_LATENCY_MS = 3_600_000;
const MAX_PERIOD_MS = 365 * 86_400_000;

/** Reads a latency such as `500ms`; undefined if it is invalid or more than an hour. @units milliseconds */
export const readLatency = (text: string): number | undefined => readMillis(text, MAX_LATENCY_MS);

/** Reads the period of a limit; undefined if it is invalid, 0 or more than a year. @units milliseconds */
export function readPeriod(text: string): number | undefined {
  const millis = readMillis(text, MAX_PERIOD_MS);
  return millis === 0 ? undefined : millis;
}

function readMillis(text: string, most: number): number | undefined {
  const millis = text.length > 32 ? undefined : parseDuration(text)?.toMillis();
  if (millis === undefined || !Number.isFinite(millis) || millis < 0 || millis > most)
    return undefined;
  return Math.round(millis);
}

/**
 * Finds everything wrong with a rule that its schema cannot check. `field` is the path of the rule, with a
 * trailing dot.
 */
export function validateRule(rule: FaultRule, document: InterfaceDocument, field = ''): Finding[] {
  const { match = {}, delivery } = rule;
  const findings = [
    ...validateOperationName(match.operation, document, `${field}match.operation`),
    ...validateTopic(match.topic, `${field}match.topic`),
  ];
  for (const name of delivery === undefined ? OF_DELIVERIES : OF_REQUESTS)
    if (match[name] !== undefined) findings.push(finding('fault.match', `${field}match.${name}`));
  return [...findings, ...validateEffect(rule, field)];
}

const OF_REQUESTS = ['operation', 'customer'] as const;
const OF_DELIVERIES = ['topic', 'destination'] as const;

/** Finds everything wrong with an effect that its schema cannot check. */
export function validateEffect(effect: FaultEffect, field = ''): Finding[] {
  const { status, latency, rate_limit, delivery, seconds, headers = {} } = effect;
  const findings: Finding[] = [];
  const found = (rule: Parameters<typeof finding>[0], name: string) =>
    findings.push(finding(rule, field + name));
  const [first, ...further] = FAULT_OUTCOMES.filter(
    (name) => effect[name] !== undefined && !(name === 'status' && delivery === 'status'),
  );
  if (first === undefined && latency === undefined) found('fault.effect_missing', 'status');
  for (const name of further) found('fault.effect_repeated', name);
  if (latency !== undefined && delivery !== undefined) found('fault.effect_repeated', 'latency');
  if (delivery === 'status' && status === undefined) found('fault.delivery_status', 'status');
  if (seconds !== undefined && delivery !== 'delay') found('fault.seconds', 'seconds');
  if (latency !== undefined && readLatency(latency) === undefined)
    found('fault.latency', 'latency');
  if (rate_limit && readPeriod(rate_limit.period) === undefined)
    found('fault.period', 'rate_limit.period');
  if (effect.headers && (status === undefined || delivery))
    found('fault.status_required', 'headers');
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value)) found('fault.header', `headers.${name}`);
  return findings;
}

/** Headers that a rule cannot set: every response has them, or they describe its transport. */
const NOT_OWN = new Set([
  '__proto__',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const plain = name.toLowerCase();
    return !NOT_OWN.has(plain) && !plain.startsWith('x-emulator-');
  } catch {
    return false;
  }
}
