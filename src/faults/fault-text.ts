import type { FaultEffect, FaultRule } from './fault-rule.ts';
import type { MetRule } from './fault-rules.ts';

/** Formats an effect as in the fault header, with the drawn latency if it is given. */
export function textOf(effect: FaultEffect, latencyMs?: number): string {
  const { status, example, connection, lost_response, delivery, seconds, latency } = effect;
  const { limit = 0, period } = effect.rate_limit ?? {};
  const rate_limit = limit > 0 ? `${limit}/${period}` : period;
  const drawn = latencyMs === undefined ? latency : `${latencyMs}ms`;
  const rest = { connection, rate_limit, lost_response, delivery, seconds, latency: drawn };
  return Object.entries({ status, example, ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ');
}

/** The name of a rule in the log, with its effect. */
export const nameOfMet = ({ rule, position, latencyMs }: MetRule): string =>
  `${rule.name ?? `rule ${position}`}: ${textOf(rule, latencyMs)}`;

/** Describes the requests or deliveries that a rule matches. */
export function matchText({ match = {}, delivery }: FaultRule): string {
  const { headers = {}, ...plain } = match;
  const parts = [
    ...Object.values(plain),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return parts.join(' ') || (delivery === undefined ? 'any request' : 'any delivery');
}

/** Describes how often a rule is applied; empty if always. */
export function scheduleText({ skip, times, every, probability }: FaultRule): string {
  const parts = { after: skip, every, 'at most': times, 'by chance': probability };
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([words, value]) => `${words} ${value}`)
    .join(', ');
}
