import { validateHeaderName, validateHeaderValue } from 'node:http';
import { parseDuration } from '../domain/instant.ts';
import { type Finding, finding } from '../domain/rules.ts';
import type { components } from '../spec/control.d.ts';
import type { InterfaceDocument } from '../spec/document.ts';
import { validateOperationName } from '../spec/findings.ts';
import { nearest, plural } from '../text/wording.ts';

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
  const findings = validateOperationName(match.operation, document, `${field}match.operation`);
  for (const name of delivery === undefined ? OF_DELIVERIES : OF_REQUESTS)
    if (match[name] !== undefined) findings.push(finding('fault.match', `${field}match.${name}`));
  return [...findings, ...validateEffect(rule, field)];
}

const OF_REQUESTS = ['operation', 'customer'] as const;
const OF_DELIVERIES = ['topic', 'destination'] as const;

/** Finds everything wrong with an effect that its schema cannot check. */
function validateEffect(effect: FaultEffect, field = ''): Finding[] {
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

/** Formats an effect as in the fault header. */
export function textOf(effect: FaultEffect): string {
  const { status, connection, lost_response, delivery, seconds, latency } = effect;
  const { limit = 0, period } = effect.rate_limit ?? {};
  const rate_limit = limit > 0 ? `${limit}/${period}` : period;
  return Object.entries({
    delivery,
    status,
    connection,
    rate_limit,
    lost_response,
    seconds,
    latency,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}

/** The name of a rule in the log, with its effect. */
export const nameOfMatched = ({
  rule,
  position,
}: {
  readonly rule: FaultRule;
  readonly position: number;
}): string => `${rule.name ?? `rule ${position}`}: ${textOf(rule)}`;

/** Describes the requests or deliveries that a rule matches. */
export const matchText = ({ match = {}, delivery }: FaultRule): string =>
  Object.values(match).join(' ') || (delivery === undefined ? 'any request' : 'any delivery');

/** Describes how often a rule is applied, such as `after the first 2, at most 3 times`; empty if always. */
export function scheduleText({ skip, times }: FaultRule): string {
  return [
    skip !== undefined && `after the first ${skip}`,
    times !== undefined && `at most ${plural(times, 'time')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Header with which a request asks for a fault, and a response names the fault applied. */
export const FAULT_HEADER = 'X-Emulator-Fault';

const FORMS =
  'status=CODE, latency=500ms, connection=reset, connection=empty or connection=truncated, ' +
  'rate_limit=30s, lost_response; latency may be combined with one of the others, separated by a comma. ' +
  'A delivery takes its faults from rules: POST /_emulator/faults';

const NAMES = ['status', 'latency', 'connection', 'rate_limit', 'lost_response'];

/** What is wrong with the text of an effect, and what is possible. */
export class InvalidEffect extends Error {}

/**
 * Reads an effect such as `status=503`. `label` names the text in errors.
 *
 * @throws InvalidEffect with everything that is wrong with it
 * @assumes A-1413
 */
export function readEffect(text: string, label: string): FaultEffect {
  const parts = partsOf(text);
  const complaints = [...parts.keys()]
    .filter((name) => !NAMES.includes(name))
    .map((name) => {
      const near = nearest(name, NAMES);
      return `There is no ${JSON.stringify(name)}${near ? `, did you mean ${near}?` : '.'}`;
    });
  const effect = effectOf(parts, complaints);
  if (complaints.length === 0)
    complaints.push(...validateEffect(effect).map(({ field, message }) => `${field}: ${message}`));
  if (complaints.length === 0) return effect;
  throw new InvalidEffect(`${label}: ${complaints.join(' ')} Possible are ${FORMS}.`);
}

function effectOf(parts: ReadonlyMap<string, string>, complaints: string[]): FaultEffect {
  const given = Object.fromEntries(parts);
  const { status, latency, connection, rate_limit: period, lost_response: lost } = given;
  if (status !== undefined && !/^[2-5]\d\d$/.test(status))
    complaints.push('status: Expected a number from 200 to 599.');
  if (connection !== undefined && !['reset', 'empty', 'truncated'].includes(connection))
    complaints.push('connection: Expected reset, empty or truncated.');
  if (lost !== undefined && lost !== '' && lost !== 'true')
    complaints.push('lost_response: Expected no value.');
  return {
    ...(status !== undefined && { status: Number(status) }),
    ...(latency !== undefined && { latency }),
    ...(connection !== undefined && { connection: connection as 'reset' }),
    ...(period !== undefined && { rate_limit: { limit: 0, period: period || '1s' } }),
    ...(lost !== undefined && { lost_response: true }),
  };
}

/** Splits a header into its parts by name. If a name occurs twice, the first counts. */
function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? '' : part.slice(equals + 1).trim();
    if (name !== '' && !parts.has(name)) parts.set(name, value.replace(/^"(.*)"$/, '$1'));
  }
  return parts;
}
