import { nearest, plural } from '../text/wording.ts';
import { type FaultEffect, type FaultRule, validateEffect } from './rule.ts';
import type { MatchedRule } from './rules.ts';

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
export const nameOfMatched = ({ rule, position }: MatchedRule): string =>
  `${rule.name ?? `rule ${position}`}: ${textOf(rule)}`;

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
