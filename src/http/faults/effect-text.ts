import type { FaultEffect } from './fault-rule.ts';
import type { MetRule } from './fault-rules.ts';

/** An effect in the words of its header form, the latency as it was drawn. */
export function textOf(effect: FaultEffect, latencyMs?: number): string {
  const { status, example, connection, rate_limit, lost_response, latency } = effect;
  return [
    status !== undefined && `status=${status}`,
    example !== undefined && `example=${example}`,
    connection !== undefined && `connection=${connection}`,
    rate_limit && `rate_limit=${rate_limit.period}`,
    lost_response && 'lost_response',
    latency !== undefined && `latency=${latencyMs === undefined ? latency : `${latencyMs}ms`}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}

/** What a rule is called in the log, with what it did. */
export function nameOfMet({ rule, position, latencyMs }: MetRule): string {
  return `${rule.name ?? `rule ${position}`}: ${textOf(rule, latencyMs)}`;
}
