import { digitsOf, type ExactValue } from '../../kit/exact-json.ts';

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
