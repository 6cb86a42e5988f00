import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Finding, finding } from '../../domain/rules.ts';
import { FAULT_OUTCOMES, type FaultEffect, type FaultRule } from '../../faults/fault-rule.ts';
import { readLatency, readPeriod } from '../../faults/latency-range.ts';
import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
} from '../../spec/document.ts';
import { judgeOperationName } from '../operation-name.ts';
import { ownerOfPath } from '../own-paths.ts';

/**
 * Finds everything wrong with a rule that its schema cannot check. `field` is the path of the rule, with a
 * trailing dot.
 */
export function judgeRule(rule: FaultRule, document: InterfaceDocument, field = ''): Finding[] {
  const named = rule.match?.operation;
  const operation = named === undefined ? undefined : document.operations.get(named);
  const candidates = operation ? [operation] : [...document.operations.values()];
  return [
    ...judgeMatch(rule, document, field),
    ...judgeEffect(rule, field),
    ...judgeExample(rule, document, candidates, field),
  ];
}

const OF_REQUESTS = ['operation', 'method', 'path', 'customer', 'headers'] as const;
const OF_DELIVERIES = ['topic', 'destination'] as const;

function judgeMatch(
  { match = {}, delivery }: FaultRule,
  document: InterfaceDocument,
  field: string,
): Finding[] {
  const { operation, path } = match;
  const findings = judgeOperationName(operation, document, `${field}match.operation`);
  for (const name of delivery === undefined ? OF_DELIVERIES : OF_REQUESTS)
    if (match[name] !== undefined) findings.push(finding('fault.match', `${field}match.${name}`));
  if (path !== undefined && !/^[/*]/.test(path))
    findings.push(finding('fault.path', `${field}match.path`));
  if (path !== undefined && ownerOfPath(path) !== 'service')
    findings.push(finding('fault.own_path', `${field}match.path`));
  return findings;
}

/** Finds everything wrong with an effect that its schema cannot check. */
export function judgeEffect(effect: FaultEffect, field = ''): Finding[] {
  const { status, latency, rate_limit, delivery, seconds } = effect;
  const findings: Finding[] = [];
  const [first, ...further] = FAULT_OUTCOMES.filter((name) => effect[name] !== undefined);
  if (first === undefined && latency === undefined)
    findings.push(finding('fault.effect_missing', `${field}status`));
  for (const name of further) findings.push(finding('fault.effect_repeated', `${field}${name}`));
  if (latency !== undefined && delivery !== undefined)
    findings.push(finding('fault.effect_repeated', `${field}latency`));
  if (seconds !== undefined && delivery !== 'delay' && delivery !== 'stale_timestamp')
    findings.push(finding('fault.seconds', `${field}seconds`));
  if (latency !== undefined && !readLatency(latency))
    findings.push(finding('fault.latency', `${field}latency`));
  if (rate_limit && readPeriod(rate_limit.period) === undefined)
    findings.push(finding('fault.period', `${field}rate_limit.period`));
  if (status === undefined)
    for (const name of ['example', 'headers', 'body'] as const)
      if (effect[name] !== undefined)
        findings.push(finding('fault.status_required', `${field}${name}`));
  return [...findings, ...judgeAnswer(effect, field)];
}

const BODILESS = new Set([204, 205, 304]);

function judgeAnswer({ status, example, body, headers }: FaultEffect, field: string): Finding[] {
  const findings: Finding[] = [];
  if (body !== undefined && example !== undefined)
    findings.push(finding('fault.example_or_body', `${field}example`));
  if (body !== undefined && status !== undefined && BODILESS.has(status))
    findings.push(finding('fault.bodiless', `${field}body`));
  for (const [name, value] of Object.entries(headers ?? {}))
    if (!isHeader(name, value)) findings.push(finding('fault.header', `${field}headers.${name}`));
  return findings;
}

/** Headers that a rule cannot set: every response has them, or they describe its transport. */
const NOT_OWN = new Set([
  '__proto__',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'preference-applied',
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

/** Checks that at least one of the operations has the example. The finding lists the available ones. */
export function judgeExample(
  { status, example }: FaultEffect,
  document: InterfaceDocument,
  operations: readonly OperationSpec[],
  field = '',
): Finding[] {
  if (status === undefined || example === undefined) return [];
  const names = new Set(
    operations.flatMap((each) => [...examplesOf(document, each, status).keys()]),
  );
  if (names.has(example)) return [];
  const known = names.size === 0 ? 'there are none' : `expected one of: ${[...names].join(', ')}`;
  const message = `No example of a ${status} response is called ${JSON.stringify(example)}; ${known}.`;
  return [{ field: `${field}example`, message }];
}

/** The examples of a response in the document, by name. A single unnamed one is called `default`. */
export function examplesOf(
  document: InterfaceDocument,
  operation: OperationSpec,
  status: number,
): ReadonlyMap<string, unknown> {
  const pointer = operation.replies.get(status);
  if (!pointer) return new Map();
  const media = resolve(document.json, { $ref: pointer.replace(/\/schema$/, '') });
  if (media['example'] !== undefined) return new Map([['default', media['example']]]);
  const examples = Object.entries((media['examples'] ?? {}) as Record<string, Json>);
  return new Map(examples.map(([name, { value }]) => [name, value]));
}
