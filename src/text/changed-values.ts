/** A value inside two JSON values that differs. A missing field has no `before` or `after`; null is a value. */
export interface ChangedValue {
  /** The steps to it; none for the values themselves. */
  readonly at: readonly (string | number)[];
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface ComparingOptions {
  /** Whether fields that only `after` has are left out. */
  readonly isPartial?: boolean;
  /** Whether two values count as equal whose fields are not compared. Default: `Object.is`. */
  readonly isEqual?: (before: unknown, after: unknown) => boolean;
  /** Whether an object is compared as one value, without its fields. Default: none is. */
  readonly isValue?: (value: object) => boolean;
  /** Whether lists of different lengths are one difference, instead of one for each item. */
  readonly wholeLists?: boolean;
}

/**
 * Compares two JSON values field by field. The order of keys does not matter, an undefined field equals an absent
 * one, and lists are compared by index.
 */
export function changedValues(
  before: unknown,
  after: unknown,
  options: ComparingOptions = {},
): Generator<ChangedValue> {
  return changesBelow(before, after, options, []);
}

function* changesBelow(
  before: unknown,
  after: unknown,
  options: ComparingOptions,
  at: ChangedValue['at'],
): Generator<ChangedValue> {
  if (before === after) return;
  if (!isComposite(before) || !isComposite(after) || !haveFields(before, after, options)) {
    const { isEqual = Object.is } = options;
    if (!isEqual(before, after))
      yield { at, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    return;
  }
  const names = options.isPartial ? [] : Object.keys(after);
  for (const name of new Set([...Object.keys(before), ...names])) {
    const step = Array.isArray(before) ? Number(name) : name;
    yield* changesBelow(fieldOf(before, name), fieldOf(after, name), options, [...at, step]);
  }
}

/** Whether both are objects or both lists, so that their fields are compared. */
function haveFields(
  before: Composite,
  after: Composite,
  { wholeLists = false, isValue }: ComparingOptions,
): boolean {
  if (isValue?.(before) || isValue?.(after)) return false;
  if (!Array.isArray(before) || !Array.isArray(after))
    return Array.isArray(before) === Array.isArray(after);
  return !wholeLists || before.length === after.length;
}

/** The place of a value in text, such as `prices[0].name`. */
export const pathText = (at: ChangedValue['at']): string =>
  at
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

/** Whether two JSON values are equal. Same result as no `changedValues`, but faster. */
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

/** Reads own fields only: input can have a field named `toString` or `__proto__`. */
const fieldOf = (value: Composite, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const isComposite = (value: unknown): value is Composite =>
  typeof value === 'object' && value !== null;
