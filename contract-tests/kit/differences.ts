import { readFileSync } from 'node:fs';
import { type ChangedValue, changedValues, pathText } from 'billing-emulator/spec';
import { chai } from 'vitest';

// Chai shortens what it prints to forty characters by default.
chai.config.truncateThreshold = 0;

/** A failed `expect`, as Vitest throws it. */
interface FailedExpectation extends Error {
  readonly actual?: unknown;
  readonly expected?: unknown;
}

const MAX_LINES = 8;
const MAX_TEXT = 300;
const MAX_EXPRESSION = 80;

/** The words of matchers that compare two values. */
const COMPARES = /^expected [\s\S]* to (be|equal|deeply equal|strictly equal|match object) /;

/**
 * What a failed `expect` found, in one line for each field: its name, the value of the service and the expected one,
 * such as `fees[1].amount: the service says 0, expected 0.0015425`. Other matchers keep their own words, after the name
 * of what they looked at.
 */
export function differencesOf(error: FailedExpectation): readonly string[] {
  const [, label, words = ''] = /^(?:([\s\S]*?): )?(expected [\s\S]*)$/.exec(error.message) ?? [];
  const name = label ?? expressionAt(error.stack ?? '');
  if (!COMPARES.test(words) || / not to /.test(words.split('\n')[0] as string))
    return [clipped([name, words || error.message].filter(Boolean).join(': '))];
  const [actual, expected] = [error.actual, error.expected].map(withFields);
  const isPartial = words.includes(' to match object ');
  const found = [...changedValues(expected, actual, { ...COMPARING, isPartial })];
  const all = found.length > 0 ? found : [{ at: [], before: expected, after: actual }];
  const lines = all.map((one) => `${placeOf(name, one.at)}: ${inWords(one)}`);
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more fields`] : lines;
}

/** What a check read from a part of a response that is missing, such as `status` of a subscription that is left out. */
const READ_IN_VAIN = /(?:reading|destructure property) '(\w+)'/;

/** What an error of a check's own code says about a response, in one line. */
export function errorInWords({ message }: Error): string {
  const [line = ''] = message.split('\n');
  const [, name] = READ_IN_VAIN.exec(line) ?? [];
  return name === undefined
    ? line
    : `${name}: the service leaves out the object that it belongs to`;
}

/** The entries of a map are its fields. */
const withFields = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

/** Says, of one field, what the service responded and what was expected. */
const inWords = ({ before, after }: ChangedValue): string =>
  after === undefined
    ? `the service leaves it out, expected ${shown(before)}`
    : `the service says ${shown(after)}, expected ${shown(before)}`;

function placeOf(given: string | undefined, [first, ...rest]: ChangedValue['at']): string {
  // A check that compares several values at once lists them: the one that differs is named.
  const all = given?.startsWith('[') ? argumentsIn(given.slice(1)) : [];
  const value = typeof first === 'number' ? all[first] : undefined;
  const at = first === undefined || value !== undefined ? rest : [first, ...rest];
  const name = shortened(value ?? given);
  const inner = pathText(at);
  if (name === undefined || name === '') return inner || 'the value';
  if (inner === '') return name;
  // Fields of a plain name continue it; words and calls are only followed by the field.
  if (!/^[\w.?[\]]+$/.test(name)) return `${name}: ${inner}`;
  return inner.startsWith('[') ? `${name}${inner}` : `${name}.${inner}`;
}

const shortened = (name: string | undefined): string | undefined =>
  name !== undefined && name.length > MAX_EXPRESSION ? `${name.slice(0, MAX_EXPRESSION)}…` : name;

interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

const isMatcher = (value: unknown): value is Matcher =>
  typeof (value as Matcher | undefined)?.asymmetricMatch === 'function';

/** Whether a value has fields to compare: a list or a plain object, unlike a number that is an object. */
const hasFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (typeof one === 'object' && typeof other === 'object' && shown(one) === shown(other));

/** Of lists of different length the whole is shown: the fields of what moved up would only mislead. */
const COMPARING = {
  wholeLists: true,
  isValue: (value: object) => !hasFields(value),
  isEqual: (expected: unknown, actual: unknown) =>
    isMatcher(expected) ? expected.asymmetricMatch(actual) : isSame(actual, expected),
};

/** A value as JSON; one with a text of its own, such as an exact number or a matcher, as that text. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const isText = (one: unknown) =>
    typeof one === 'bigint' || (typeof one === 'object' && one !== null && !hasFields(one));
  const textOf = (one: unknown) => (isMatcher(one) && one.toAsymmetricMatcher?.()) || `${one}`;
  if (isText(value)) return clipped(textOf(value));
  // A function or a symbol has no JSON.
  const json = JSON.stringify(value, (_, inner) => (isText(inner) ? textOf(inner) : inner));
  return clipped(json ?? String(value));
}

const clipped = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

const CALL =
  /(file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^\s():?]*[\\/]cases[\\/][^\s():?]+)(?:\?[^\s():]*)?:(\d+):(\d+)/;

/** What a case file passed to the `expect` that failed, such as `customer.name`; undefined when it cannot be read. */
function expressionAt(stack: string): string | undefined {
  const [, scheme, path = '', line, column] = CALL.exec(stack) ?? [];
  // In a URL, a space in the path is escaped.
  const file = scheme === undefined ? path : decodeURI(path);
  const lines = file === '' ? [] : linesOf(file);
  const before = [
    ...lines.slice(0, Number(line) - 1),
    lines[Number(line) - 1]?.slice(0, Number(column) - 1),
  ];
  const text = before.join('\n');
  const start = text.lastIndexOf('expect(');
  const [given = ''] = start < 0 ? [] : argumentsIn(text.slice(start + 'expect('.length));
  const tidy = given
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ as \w+/g, '')
    .trim();
  return tidy === '' ? undefined : tidy;
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The arguments at the start of a text, up to the bracket that ends them. */
function argumentsIn(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, quote, start] = [0, '', 0];
  for (const [place, character] of [...text].entries()) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (/["'`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth += 1;
    else if (depth === 0 && /[),\]}]/.test(character)) {
      parts.push(text.slice(start, place));
      start = place + 1;
      if (character !== ',') break;
    } else if (/[)\]}]/.test(character)) depth -= 1;
  }
  return parts.map((part) => part.trim());
}
