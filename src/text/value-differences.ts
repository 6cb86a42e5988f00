/** Where two values of JSON differ. A side without the field has no value; null is one. */
export interface ValueDifference {
  /** Such as `prices[0].name`; empty for the values themselves. */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * Where two values of JSON differ, field by field: objects by their keys in any order, a field that is undefined as
 * one that is absent, lists by place.
 */
export function* differencesOf(from: unknown, to: unknown, path = ''): Generator<ValueDifference> {
  if (from === to) return;
  if (!isComposite(from) || !isComposite(to) || Array.isArray(from) !== Array.isArray(to)) {
    if (isComposite(from) || isComposite(to) || !Object.is(from, to))
      yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return;
  }
  const isList = Array.isArray(from);
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const step = isList ? `[${name}]` : path === '' ? name : `.${name}`;
    yield* differencesOf(fieldOf(from, name), fieldOf(to, name), path + step);
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

type Composite = Readonly<Record<string, unknown>>;

/** A field of its own: callers may call one `toString` or `__proto__`. */
const fieldOf = (value: Composite, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const isComposite = (value: unknown): value is Composite =>
  typeof value === 'object' && value !== null;
