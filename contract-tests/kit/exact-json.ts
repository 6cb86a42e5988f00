import { UnusableAnswer } from './outcome.ts';
import { Rational } from './rational.ts';

/**
 * Reads JSON without losing a digit: beside the plain value stands a twin whose numbers are the very
 * characters that were sent.
 */
type Lexemes = { readonly [name: string]: Lexemes } | readonly Lexemes[] | string;

const MARK = '\u0001';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const twins = new WeakMap<object, Lexemes>();

/**
 * Parses an answer, and remembers the digits of its numbers for `amount`.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const marked = text.replace(TOKENS, (token) =>
    token.startsWith('"') ? token : `"\\u0001${token}"`,
  );
  remember(value, JSON.parse(marked) as Lexemes);
  return value;
}

function remember(value: unknown, twin: Lexemes | undefined): void {
  if (typeof value !== 'object' || value === null || typeof twin !== 'object') return;
  twins.set(value, twin);
  for (const [name, inner] of Object.entries(value))
    remember(inner, (twin as Record<string, Lexemes>)[name]);
}

/**
 * The exact number that an answer holds under a name.
 *
 * @throws UnusableAnswer when it does not come from an answer, or holds no number there
 */
export function amount<T extends object>(part: T | undefined, name: keyof T & string): Rational {
  const twin = part === undefined ? undefined : twins.get(part);
  const lexeme = (twin as Record<string, unknown> | undefined)?.[name];
  if (typeof lexeme !== 'string' || !lexeme.startsWith(MARK))
    throw new UnusableAnswer(`There is no number ${name} in ${JSON.stringify(part)}`);
  return Rational.of(lexeme.slice(1));
}

/** Whether an answer writes a number in plain notation, as it came over the wire. */
export function lexeme<T extends object>(part: T, name: keyof T & string): string {
  const twin = twins.get(part) as Record<string, unknown> | undefined;
  return String(twin?.[name] ?? '').replace(MARK, '');
}
