import { plural } from '../text/plural.ts';
import type { FaultEffect, FaultRule } from './rule.ts';
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
