import { Rational } from '../kit/rational.ts';

/** A number by the very digits that were sent. */
export class Digits {
  constructor(readonly text: string) {}
}

/** A value of JSON with exact numbers. */
export type ExactValue =
  | null
  | boolean
  | string
  | Digits
  | readonly ExactValue[]
  | { readonly [name: string]: ExactValue };

export type ExactObject = Readonly<Record<string, ExactValue>>;

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '\u0001';

/**
 * Reads JSON without losing a digit.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactValue(text: string): ExactValue {
  // A number that JSON does not allow must stay one that it does not allow.
  JSON.parse(text);
  const marked = text.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"\\u0001${token}"`,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new Digits(value.slice(1)) : value,
  );
}

export function isObject(value: ExactValue | undefined): value is ExactObject {
  return isComposite(value) && !Array.isArray(value);
}

export function isList(value: ExactValue | undefined): value is readonly ExactValue[] {
  return Array.isArray(value);
}

function isComposite(value: ExactValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Digits);
}

/** Whether two numbers are worth the same: 10 and 10.00 are. */
export function isSameWorth(one: Digits, other: Digits): boolean {
  return one.text === other.text || Rational.of(one.text).equals(other.text);
}

/** Every text in a value, at any depth, names of fields left out. */
export function* textsIn(value: ExactValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value) || isObject(value))
    for (const inner of Object.values(value)) yield* textsIn(inner);
}
