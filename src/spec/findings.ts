import type { Finding } from '../domain/rules.ts';
import { didYouMean, plural } from '../text/wording.ts';
import type { BrokenRule } from './compiler.ts';
import type { InterfaceDocument } from './document.ts';
import { readPointer } from './pointer.ts';

/** Maximum findings reported for one request. */
const MAX_FINDINGS = 1_000;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'Expected a date-time with an offset, such as 2026-01-31T10:00:00Z.',
  date: 'Expected a date such as 2026-01-31.',
  email: 'Expected an email address.',
  uuid: 'Expected a UUID.',
  uri: 'Expected an absolute URL.',
  'decimal-input':
    'Expected at most 10 decimal places, at most 15 significant digits and a magnitude under 10^15.',
  'inverse-input': 'Expected at most 15 significant digits, and between 10^-15 and 10^15.',
  int16: 'Expected a 16-bit whole number.',
  int32: 'Expected a 32-bit whole number.',
  int64: 'Expected a whole number.',
};

type Params = Readonly<Record<string, unknown>>;

/** The message for each schema keyword: what was expected. */
const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'This field is required.',
  type: ({ type }) =>
    `Expected ${[type]
      .flat()
      .map((name) => TYPES[name as string])
      .join(' or ')}.`,
  format: ({ format }) => FORMATS[format as string] ?? `Expected the format ${format}.`,
  pattern: ({ pattern }) => `Expected text that matches ${pattern}.`,
  enum: ({ allowedValues }) =>
    `Expected one of: ${(allowedValues as unknown[]).map(String).join(', ')}.`,
  const: ({ allowedValue }) => `Expected ${allowedValue}.`,
  minLength: ({ limit }) => `Expected at least ${plural(Number(limit), 'character')}.`,
  maxLength: ({ limit }) => `Expected at most ${plural(Number(limit), 'character')}.`,
  minItems: ({ limit }) => `Expected at least ${plural(Number(limit), 'item')}.`,
  maxItems: ({ limit }) => `Expected at most ${plural(Number(limit), 'item')}.`,
  uniqueItems: () => 'Expected no repeated items.',
  minProperties: ({ limit }) => `Expected at least ${plural(Number(limit), 'entry', 'entries')}.`,
  maxProperties: ({ limit }) => `Expected at most ${plural(Number(limit), 'entry', 'entries')}.`,
  minimum: ({ limit }) => `Expected ${limit} or more.`,
  maximum: ({ limit }) => `Expected ${limit} or less.`,
  exclusiveMinimum: ({ limit }) => `Expected more than ${limit}.`,
  exclusiveMaximum: ({ limit }) => `Expected less than ${limit}.`,
};

/** Keywords that only repeat the findings inside them. */
export const ECHOES = new Set(['if', 'then', 'else', 'propertyNames']);

/** Keywords whose schema says in words what it expects. */
const IN_WORDS = new Set(['pattern', 'not', 'minProperties']);

/**
 * Converts validation errors to sentences by field path, such as `prices[0].pricing[0].asset`.
 *
 * @assumes A-204 all of them at once
 */
export function describeErrors(errors: readonly BrokenRule[]): Finding[] {
  const findings = errors
    .slice(0, MAX_FINDINGS)
    .filter(({ keyword }) => !ECHOES.has(keyword))
    .map(describe);
  if (errors.length > MAX_FINDINGS)
    findings.push({ field: '', message: `${errors.length - MAX_FINDINGS} more findings.` });
  return findings;
}

function describe(error: BrokenRule): Finding {
  const { place, message } = placeError(error);
  return { field: fieldPath(place), message };
}

/** Returns the path of an error as a list of steps, and what was expected there. */
export function placeError(error: BrokenRule): { place: readonly string[]; message: string } {
  const place = readPointer(error.instancePath);
  const params = error.params as Params;
  if (error.keyword === 'required')
    return { place: [...place, params['missingProperty'] as string], message: messageOf(error) };
  if (error.keyword === 'additionalProperties') {
    const name = params['additionalProperty'] as string;
    if (isNotEmulated(error, name)) return { place: [...place, name], message: notEmulated(name) };
    const hint = didYouMean(name, Object.keys(error.parentSchema?.['properties'] ?? {}));
    return { place: [...place, name], message: `There is no such field.${hint}` };
  }
  const { propertyName: key } = error;
  if (key !== undefined) return { place, message: `The key ${quote(key)}: ${messageOf(error)}` };
  return { place, message: messageOf(error) };
}

function messageOf(error: BrokenRule): string {
  const { keyword, params, data } = error;
  if (
    (keyword === 'enum' || keyword === 'not') &&
    typeof data === 'string' &&
    isNotEmulated(error, data)
  )
    return notEmulated(data);
  const expected = error.parentSchema?.['x-expected'];
  if (IN_WORDS.has(keyword) && expected) return `Expected ${expected}.`;
  // JSON allows numbers beyond those of JavaScript, such as 1e400, which are parsed as infinite.
  if (keyword === 'type' && (data === Infinity || data === -Infinity))
    return 'Expected a number of a smaller magnitude.';
  return MESSAGES[keyword]?.(params as Params) ?? 'This value is invalid.';
}

/**
 * Whether the service has a field or value that the emulator does not implement. `x-not-emulated` lists the
 * names, or is true for all unknown ones.
 *
 * @assumes A-1510
 */
export function isNotEmulated({ parentSchema }: BrokenRule, name: string): boolean {
  const known = parentSchema?.['x-not-emulated'] as true | readonly string[] | undefined;
  return known === true || (known?.includes(name) ?? false);
}

const notEmulated = (name: string): string => `${name} is not emulated.`;

/** Maximum characters of a name in a path, because many findings can repeat a long one. */
const MAX_OF_NAME = 200;

const shorten = (name: string): string =>
  name.length > MAX_OF_NAME ? `${name.slice(0, MAX_OF_NAME)}…` : name;

const quote = (name: string): string => JSON.stringify(shorten(name));

/** Formats a path as in requests, such as `prices[0].name`. */
function fieldPath(place: readonly string[]): string {
  const steps = place.map((step) => shorten(step) || '""');
  return steps.reduce(
    (path, step) =>
      /^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`,
    '',
  );
}

/** Finds an unknown operation name in a field. The finding suggests the nearest name. */
export function validateOperationName(
  name: string | null | undefined,
  { operations }: InterfaceDocument,
  field: string,
): Finding[] {
  if (name === undefined || name === null || operations.has(name)) return [];
  const hint = didYouMean(name, [...operations.keys()]);
  return [{ field, message: `There is no operation ${JSON.stringify(name)}.${hint}` }];
}
