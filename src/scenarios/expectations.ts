import { serialise } from '../text/exact-json.ts';
import type { Place, Problem } from './scenario.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns how a response differs from what is expected. It can have more fields unless `isExact`, but lists
 * must have the same length. An expected null matches null or an absent field.
 */
export function compareExpected(
  expected: unknown,
  actual: unknown,
  place: Place,
  isExact = false,
): readonly Problem[] {
  if (Array.isArray(expected)) return compareLists(expected, actual, place, isExact);
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
      return [mismatch(expected, actual, place)];
    const [wanted, found] = [expected as Fields, actual as Fields];
    return Object.keys(isExact ? { ...wanted, ...found } : wanted).flatMap((name) =>
      compareExpected(wanted[name] ?? null, found[name], [...place, name], isExact),
    );
  }
  return expected === (actual ?? null) ? [] : [mismatch(expected, actual, place)];
}

function compareLists(
  expected: readonly unknown[],
  actual: unknown,
  place: Place,
  isExact: boolean,
): readonly Problem[] {
  if (!Array.isArray(actual)) return [mismatch(expected, actual, place)];
  if (actual.length !== expected.length) {
    const message = `${place.at(-1)}: expected ${expected.length} entries, got ${actual.length}: ${show(actual)}`;
    return [{ place, message }];
  }
  return expected.flatMap((inner, index) =>
    compareExpected(inner, actual[index], [...place, index], isExact),
  );
}

/** Returns how headers differ from the expected ones. An expected path matches a URL with any host. */
export function compareHeaders(
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
  place: Place,
): readonly Problem[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const [, found] =
      Object.entries(actual).find(([each]) => each.toLowerCase() === name.toLowerCase()) ?? [];
    const told = wanted.startsWith('/') && found !== undefined ? pathOf(found) : found;
    return compareExpected(wanted, told, [...place, name]);
  });
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function mismatch(expected: unknown, actual: unknown, place: Place): Problem {
  return { place, message: `${place.at(-1)}: expected ${show(expected)}, got ${show(actual)}` };
}

const LONGEST = 300;

/** Formats a value as text of limited length. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : serialise(value).text;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
