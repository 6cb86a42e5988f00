import { parseNumbersBy } from '../../kit/exact-json.ts';
import { Rational } from '../../kit/rational.ts';

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
export const parseExactValue = (text: string): ExactValue =>
  parseNumbersBy(text, (digits) => new Digits(digits)) as ExactValue;

export const isObject = (value: ExactValue | undefined): value is ExactObject =>
  isComposite(value) && !Array.isArray(value);

export const isList = (value: ExactValue | undefined): value is readonly ExactValue[] =>
  Array.isArray(value);

const isComposite = (value: ExactValue | undefined): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Digits);

/** Whether two numbers are equal, as 10 and 10.00 are. */
export const isSameWorth = (one: Digits, other: Digits): boolean =>
  one.text === other.text || Rational.of(one.text).equals(other.text);

/** Every text in a value, at any depth, without field names. */
export function* textsIn(value: ExactValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value) || isObject(value))
    for (const inner of Object.values(value)) yield* textsIn(inner);
}
