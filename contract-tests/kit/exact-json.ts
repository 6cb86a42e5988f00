import { UnusableResponse } from './outcome.ts';
import { Rational } from './rational.ts';

/** A JSON value in which every number is a text: a marker character, then the exact characters that were sent. */
export type ExactValue =
  | null
  | boolean
  | string
  | readonly ExactValue[]
  | { readonly [name: string]: ExactValue };

const MARK = '\u0001';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const exactValues = new WeakMap<object, ExactValue>();

/**
 * Parses a response body, and keeps the exact digits of its numbers for `amount`.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  remember(value, parseMarked(text));
  return value;
}

/** Parses JSON without loss of digits. @throws SyntaxError when the text is not JSON */
export function parseExactValue(text: string): ExactValue {
  // Number formats that JSON forbids must still fail.
  JSON.parse(text);
  return parseMarked(text);
}

const parseMarked = (text: string): ExactValue =>
  JSON.parse(
    text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"\\u0001${token}"`)),
  );

/** The exact characters of a number; undefined for any other value. */
export const digitsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(MARK) ? value.slice(1) : undefined;

export type ExactObject = Readonly<Record<string, ExactValue>>;

export const isObject = (value: ExactValue | undefined): value is ExactObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: ExactValue | undefined): value is readonly ExactValue[] =>
  Array.isArray(value);

/** Whether a value is a text, which a number is not. */
export const isText = (value: ExactValue | undefined): value is string =>
  typeof value === 'string' && digitsOf(value) === undefined;

/** Every text in a value, at any depth, without field names. */
export function* textsIn(value: ExactValue | undefined): Generator<string> {
  if (isText(value)) yield value;
  else if (isList(value) || isObject(value))
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

function remember(value: unknown, exact: ExactValue | undefined): void {
  if (typeof value !== 'object' || value === null || typeof exact !== 'object' || !exact) return;
  exactValues.set(value, exact);
  for (const [name, inner] of Object.entries(value))
    remember(inner, (exact as Record<string, ExactValue>)[name]);
}

/**
 * The exact number in a field of a response.
 *
 * @throws UnusableResponse when the part is not from a response, or the field holds no number
 */
export function amount<T extends object>(part: T | undefined, name: keyof T & string): Rational {
  const digits = part === undefined ? '' : lexeme(part, name);
  if (digits === '')
    throw new UnusableResponse(
      `Expected a number in ${name}, got ${part?.[name]}, in ${JSON.stringify(part)}`,
    );
  return Rational.of(digits);
}

/** The characters of a number as the response sent them; empty when the field holds no number. */
export const lexeme = <T extends object>(part: T, name: keyof T & string): string =>
  digitsOf((exactValues.get(part) as Record<string, unknown> | undefined)?.[name]) ?? '';
