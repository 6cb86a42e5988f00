import { compare, decimal } from '../domain/decimal.ts';
import { digitsOf } from './exact-json.ts';

/** Where two values of JSON differ. A side without the field has no value; null is one. */
export interface ValueDifference {
  /** Such as `prices[0].name`; empty for the values themselves. */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Whether two values, neither of them a list or an object, are the same. */
type IsSame = (from: unknown, to: unknown) => boolean;

/**
 * Where two values of JSON differ, field by field: objects by their keys in any order, a field that is undefined as
 * one that is absent, lists by place. Texts and numbers are the same where `isSame` says so; where they are equal,
 * unless told.
 */
export function* differencesOf(
  from: unknown,
  to: unknown,
  isSame: IsSame = Object.is,
  path = '',
): Generator<ValueDifference> {
  if (from === to) return;
  if (!isComposite(from) || !isComposite(to) || Array.isArray(from) !== Array.isArray(to)) {
    if (isComposite(from) || isComposite(to) || !isSame(from, to))
      yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return;
  }
  const isList = Array.isArray(from);
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const step = isList ? `[${name}]` : path === '' ? name : `.${name}`;
    yield* differencesOf(fieldOf(from, name), fieldOf(to, name), isSame, path + step);
  }
}

/** Whether two values of JSON have no difference: the same as `differencesOf` tells, in less time. */
export function isEqualValue(from: unknown, to: unknown): boolean {
  if (from === to) return true;
  if (!isComposite(from) || !isComposite(to) || Array.isArray(from) !== Array.isArray(to))
    return !isComposite(from) && !isComposite(to) && Object.is(from, to);
  for (const name in from) if (!isEqualValue(from[name], fieldOf(to, name))) return false;
  for (const name in to)
    if (to[name] !== undefined && fieldOf(from, name) === undefined) return false;
  return true;
}

/** Whether two scalars are the same, numbers that `parseDigits` read by their exact worth: 1 and 1.0 are. */
export function isSameNumber(from: unknown, to: unknown): boolean {
  if (Object.is(from, to)) return true;
  const [left, right] = [digitsOf(from), digitsOf(to)];
  return left !== undefined && right !== undefined && compare(decimal(left), decimal(right)) === 0;
}

type Composite = Readonly<Record<string, unknown>>;

/** A field of its own: callers may call one `toString` or `__proto__`. */
const fieldOf = (value: Composite, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const isComposite = (value: unknown): value is Composite =>
  typeof value === 'object' && value !== null;
