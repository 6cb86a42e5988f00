import type { Settings } from '../config/settings.ts';
import { decimal, format } from '../domain/decimal.ts';
import type { LongNumber } from '../domain/pricing/matching.ts';
import { type Finding, throwIfInvalid } from '../domain/rules.ts';
import type { BrokenRule } from '../spec/compiler.ts';
import type { BodySpec, Json } from '../spec/document.ts';
import { describeErrors, isNotEmulated } from '../spec/findings.ts';
import { valueAt } from '../spec/pointer.ts';
import type { Check } from '../spec/validators.ts';
import { hasLongNumbers, markedDigits, parseExact, wireNumber } from '../text/exact-json.ts';
import {
  BadRequest,
  findBadText,
  parseValue,
  readBody,
  readQuery,
  validateBytes,
  validateType,
} from './input.ts';
import type { StepContext, ValidatedCall } from './request-context.ts';

/**
 * Validates a request and returns its call, converted to the types of the document.
 *
 * @throws BadRequest for what cannot be understood, RuleViolation with all findings of the body
 */
export function validateRequest(context: StepContext): ValidatedCall {
  const unknown: Finding[] = [];
  const query = validQuery(context, unknown);
  return { path: context.path, query, body: validBody(context, unknown), unknown };
}

const NO_QUERY: Json = {};

function validQuery({ api, operation, rawRequest }: StepContext, unknown: Finding[]): Json {
  if (rawRequest.search === '' && operation.parameters.length === 0) return NO_QUERY;
  const query = readQuery(rawRequest.search, operation);
  const errors = brokenRules(api.validators.query(operation), query, api.settings, unknown);
  if (errors.length > 0) {
    const findings = describeErrors(errors);
    throw new BadRequest(findings.map(({ field, message }) => `${field}: ${message}`).join(' '));
  }
  return exact(query, rawRequest.search);
}

/** Returns the query with the exact digits of whole numbers that a double cannot hold. */
function exact(query: Json, search: string): Json {
  const isLong = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
  if (!Object.values(query).some(isLong)) return query;
  const long = [...new URLSearchParams(search)].filter(([name]) => isLong(query[name]));
  return { ...query, ...Object.fromEntries(long.map(([name, text]) => [name, wireNumber(text)])) };
}

function validBody(
  { api, operation, rawRequest, body: bytes, pieces }: StepContext,
  unknown: Finding[],
): unknown {
  if (!operation.body) return undefined;
  const type = rawRequest.headers['content-type'];
  if (pieces) {
    validateType(type);
    return pieces;
  }
  if (bytes.length === 0 && !operation.body.required) return undefined;
  if (operation.body.isVerbatim) {
    validateBytes(bytes, type);
    const value = parseValue(bytes);
    throwIfInvalid(findBadText(bytes, value));
    return { value, text: bytes.toString().trim() };
  }
  const { settings } = api;
  const body = readBody(bytes, type);
  throwIfInvalid(findBatchOverflow(operation.body.batchLimits, body, settings));
  const errors = brokenRules(api.validators.body(operation), body, settings, unknown);
  if (errors.length > 0 || bytes.includes('\\u'))
    throwIfInvalid([...describeErrors(errors), ...findBadText(bytes, body)]);
  keepDigits(body, bytes);
  return body;
}

/** Finds a batch over its limit. The whole batch is rejected before its events are checked. @assumes A-801 */
function findBatchOverflow(
  limits: BodySpec['batchLimits'],
  body: Json,
  settings: Settings,
): Finding[] {
  return Object.entries(limits).flatMap(([field, name]) => {
    const list = body[field];
    const limit = settings.limits[name];
    return Array.isArray(list) && list.length > limit
      ? [{ field, message: `Expected at most ${limit} items in one request.` }]
      : [];
  });
}

/** Finds what is wrong with a value. Removes unknown fields unless the settings reject them. @assumes A-203 */
function brokenRules(
  check: Check,
  value: Json,
  { unknown_fields }: Settings,
  unknown: Finding[],
): readonly BrokenRule[] {
  const errors = check(value);
  if (errors.length === 0 || unknown_fields === 'reject') return errors;
  const unknownFields = errors.filter(
    (error) =>
      error.keyword === 'additionalProperties' &&
      !isNotEmulated(error, error.params['additionalProperty'] as string),
  );
  if (unknown_fields === 'warn') unknown.push(...describeErrors(unknownFields));
  for (const { instancePath, params } of unknownFields) {
    const holder = valueAt(value, instancePath);
    delete (holder as Record<string, unknown>)[params['additionalProperty'] as string];
  }
  return check(value);
}

type Facts = Record<string, unknown> | null | undefined;

interface SentEvent {
  readonly data?: Facts;
  readonly costs?: readonly { readonly metadata?: Facts }[] | null;
}

/**
 * Puts numbers that a double cannot hold back into the facts of a valid body's usage events and costs, with all
 * their digits.
 *
 * @assumes A-303
 */
function keepDigits(body: Json, bytes: Buffer): void {
  const { events } = body as { events?: readonly SentEvent[] };
  if (!Array.isArray(events)) return;
  const text = bytes.toString();
  if (!hasLongNumbers(text)) return;
  const exact = (parseExact(text) as { events: readonly SentEvent[] }).events;
  for (const [place, event] of events.entries()) {
    restore(event.data, exact[place]?.data);
    for (const [index, cost] of (event.costs ?? []).entries())
      restore(cost.metadata, exact[place]?.costs?.[index]?.metadata);
  }
}

function restore(facts: Facts, exact: Facts): void {
  for (const [name, value] of Object.entries(facts ?? {})) {
    const digits = markedDigits(exact?.[name]);
    if (typeof value !== 'number' || digits === undefined) continue;
    const plain = format(decimal(digits));
    const number: LongNumber = { digits: plain };
    if (plain !== format(decimal(value))) (facts as Record<string, unknown>)[name] = number;
  }
}
