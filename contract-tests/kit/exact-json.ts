import { UnusableAnswer } from './outcome.ts';
import { Rational } from './rational.ts';

/** The counterpart of a parsed JSON value in which every number keeps the exact characters that were sent. */
type Lexemes = { readonly [name: string]: Lexemes } | readonly Lexemes[] | string;

const MARK = '\u0001';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const twins = new WeakMap<object, Lexemes>();

/**
 * Parses a response body, and keeps the exact digits of its numbers for `amount`.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  remember(value, parseMarked(text) as Lexemes);
  return value;
}

/**
 * Parses JSON, with each number replaced by the result of `read` on its exact characters.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseNumbersBy(text: string, read: (digits: string) => unknown): unknown {
  // Number formats that JSON forbids must still fail.
  JSON.parse(text);
  return parseMarked(text, (_, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? read(value.slice(1)) : value,
  );
}

/** Parses JSON with every number turned into a string that starts with a marker character. */
function parseMarked(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  const marked = text.replace(TOKENS, (token) =>
    token.startsWith('"') ? token : `"\\u0001${token}"`,
  );
  return JSON.parse(marked, reviver);
}

function remember(value: unknown, twin: Lexemes | undefined): void {
  if (typeof value !== 'object' || value === null || typeof twin !== 'object') return;
  twins.set(value, twin);
  for (const [name, inner] of Object.entries(value))
    remember(inner, (twin as Record<string, Lexemes>)[name]);
}

/**
 * The exact number in a field of a response.
 *
 * @throws UnusableAnswer when the part is not from a response, or the field holds no number
 */
export function amount<T extends object>(part: T | undefined, name: keyof T & string): Rational {
  const digits = part === undefined ? '' : lexeme(part, name);
  if (digits === '')
    throw new UnusableAnswer(
      `There is no number ${name}, but ${part?.[name]}, in ${JSON.stringify(part)}`,
    );
  return Rational.of(digits);
}

/** The characters of a number as the response sent them; empty when the field holds no number. */
export function lexeme<T extends object>(part: T, name: keyof T & string): string {
  const marked = (twins.get(part) as Record<string, unknown> | undefined)?.[name];
  return typeof marked === 'string' && marked.startsWith(MARK) ? marked.slice(1) : '';
}
