import { parseNumbersBy } from '../kit/exact-json.ts';
import { Rational } from '../kit/rational.ts';

/** A number with the exact digits that were sent. */
export class Digits {
  constructor(readonly text: string) {}
}

/** A JSON value with exact numbers. */
export type ExactValue =
  | null
  | boolean
  | string
  | Digits
  | readonly ExactValue[]
  | { readonly [name: string]: ExactValue };

export type ExactObject = Readonly<Record<string, ExactValue>>;

/** Parses JSON without loss of digits. @throws SyntaxError when the text is not JSON */
export function parseExactValue(text: string): ExactValue {
  return parseNumbersBy(text, (digits) => new Digits(digits)) as ExactValue;
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

/** Whether two numbers are equal, as 10 and 10.00 are. */
export function isSameWorth(one: Digits, other: Digits): boolean {
  return one.text === other.text || Rational.of(one.text).equals(other.text);
}

/** Every text in a value, at any depth, without field names. */
export function* textsIn(value: ExactValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value) || isObject(value))
    for (const inner of Object.values(value)) yield* textsIn(inner);
}
