import type { FaultEffect } from '../../faults/fault-rule.ts';
import type { InterfaceDocument, OperationSpec } from '../../spec/document.ts';
import { nearest } from '../../text/nearest.ts';
import { Unreadable } from '../input.ts';
import type { RawRequest } from '../message.ts';
import { judgeEffect, judgeExample } from './judge-rule.ts';

/** Header with which a request asks for a fault, and a response names the fault applied. */
export const FAULT_HEADER = 'X-Emulator-Fault';
const RECEIVED_HEADER = FAULT_HEADER.toLowerCase();

/** The fault that a request asks for itself. */
export interface FaultDirective {
  readonly effect: FaultEffect;
  /** Whether the body is generated from the schema instead of taken from examples. */
  readonly dynamic?: boolean;
  /** The preferences that were applied, if the request asked with `Prefer`. */
  readonly preference?: string;
}

const FORMS =
  'status=CODE with example=NAME, latency=500ms or latency=100ms..2s, ' +
  'connection=reset, connection=empty or connection=truncated, rate_limit=30s, lost_response; ' +
  'latency may be combined with one of the others, separated by a comma. ' +
  'A delivery takes its faults from rules: POST /_emulator/faults';

const NAMES = ['status', 'example', 'latency', 'connection', 'rate_limit', 'lost_response'];

/** Whether a request asks for a fault, valid or not. */
export const hasFaultDirective = ({ headers }: RawRequest): boolean =>
  headers[RECEIVED_HEADER] !== undefined || readPreferences(headers).size > 0;

/** Reads the fault that a request asks for in a header. Returns undefined if it asks for none. @throws Unreadable */
export function readFaultDirective(
  rawRequest: RawRequest,
  document: InterfaceDocument,
  operation: OperationSpec | undefined,
): FaultDirective | undefined {
  const own = rawRequest.headers[RECEIVED_HEADER];
  if (own !== undefined)
    return { effect: readEffect(String(own), FAULT_HEADER, document, operation) };
  const preferences = readPreferences(rawRequest.headers);
  return preferences.size > 0 && operation
    ? readPreferred(preferences, document, operation)
    : undefined;
}

/**
 * Reads an effect such as `status=503`. `label` names the text in errors.
 *
 * @throws Unreadable saying what is wrong with it
 * @assumes A-1413
 */
export function readEffect(
  text: string,
  label: string,
  document: InterfaceDocument,
  operation: OperationSpec | undefined,
): FaultEffect {
  const parts = partsOf(text, /,/);
  const complaints = [...parts.keys()]
    .filter((name) => !NAMES.includes(name))
    .map((name) => {
      const near = nearest(name, NAMES);
      return `There is no ${JSON.stringify(name)}${near ? `, did you mean ${near}?` : '.'}`;
    });
  const effect = effectOf(parts, complaints);
  if (complaints.length === 0) {
    const findings = [
      ...judgeEffect(effect),
      ...judgeExample(effect, document, operation ? [operation] : []),
    ];
    complaints.push(...findings.map(({ field, message }) => `${field}: ${message}`));
  }
  if (complaints.length === 0) return effect;
  throw new Unreadable(`${label}: ${complaints.join(' ')} Possible are ${FORMS}.`);
}

function effectOf(parts: ReadonlyMap<string, string>, complaints: string[]): FaultEffect {
  const given = Object.fromEntries(parts);
  const { status, example, latency, connection, rate_limit: period, lost_response: lost } = given;
  if (status !== undefined && !/^[2-5]\d\d$/.test(status))
    complaints.push('status: Expected a number from 200 to 599.');
  if (connection !== undefined && !['reset', 'empty', 'truncated'].includes(connection))
    complaints.push('connection: Expected reset, empty or truncated.');
  if (lost !== undefined && lost !== '' && lost !== 'true')
    complaints.push('lost_response: Expected no value.');
  return {
    ...(status !== undefined && { status: Number(status) }),
    ...(example !== undefined && { example }),
    ...(latency !== undefined && { latency }),
    ...(connection !== undefined && { connection: connection as 'reset' }),
    ...(period !== undefined && { rate_limit: { limit: 0, period: period || '1s' } }),
    ...(lost !== undefined && { lost_response: true }),
  };
}

const PREFERENCES = ['code', 'example', 'dynamic'];

/** The preferences of a `Prefer` header that ask for a response. Others are ignored here. */
function readPreferences(headers: RawRequest['headers']): ReadonlyMap<string, string> {
  const { prefer } = headers;
  if (prefer === undefined) return NONE;
  const parts = partsOf(String(prefer), /[,;]/);
  return new Map([...parts].filter(([name]) => PREFERENCES.includes(name)));
}

const NONE: ReadonlyMap<string, string> = new Map();

/** @assumes A-1413 */
function readPreferred(
  preferences: ReadonlyMap<string, string>,
  document: InterfaceDocument,
  operation: OperationSpec,
): FaultDirective {
  const statuses = [...operation.replies.keys()];
  const success = statuses.find((status) => status < 400) as number;
  const { code = String(success), example, dynamic } = Object.fromEntries(preferences);
  if (!statuses.includes(Number(code)))
    throw new Unreadable(
      `Prefer: ${operation.id} has no ${code}; code is one of ${statuses.join(', ')}.`,
    );
  const effect = { status: Number(code), ...(example !== undefined && { example }) };
  const [complaint] = judgeExample(effect, document, [operation]);
  if (complaint) throw new Unreadable(`Prefer: ${complaint.message}`);
  if (dynamic !== undefined && dynamic !== 'true' && dynamic !== 'false')
    throw new Unreadable('Prefer: Expected dynamic=true or dynamic=false.');
  const preference = [...preferences].map(([name, value]) => `${name}=${value}`).join(', ');
  return { effect, dynamic: dynamic === 'true', preference };
}

/** Splits a header into its parts by name. If a name occurs twice, the first counts. */
function partsOf(text: string, separator: RegExp): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(separator)) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? '' : part.slice(equals + 1).trim();
    if (name !== '' && !parts.has(name)) parts.set(name, value.replace(/^"(.*)"$/, '$1'));
  }
  return parts;
}
