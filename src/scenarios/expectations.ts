import { serialise } from '../text/exact-json.ts';
import type { Place, Problem } from './scenario.ts';

/**
 * What an answer lacks of what is expected of it. It may have more fields than expected, but lists are as
 * long; an expected null stands for null or absent.
 */
export function compareExpected(
  expected: unknown,
  actual: unknown,
  place: Place,
): readonly Problem[] {
  if (Array.isArray(expected)) return compareLists(expected, actual, place);
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
      return [mismatch(expected, actual, place)];
    return Object.entries(expected).flatMap(([name, inner]) =>
      compareExpected(inner, (actual as Record<string, unknown>)[name], [...place, name]),
    );
  }
  return expected === (actual ?? null) ? [] : [mismatch(expected, actual, place)];
}

function compareLists(expected: readonly unknown[], actual: unknown, place: Place) {
  if (!Array.isArray(actual)) return [mismatch(expected, actual, place)];
  if (actual.length !== expected.length) {
    const message = `${place.at(-1)}: expected ${expected.length} entries, got ${actual.length}: ${show(actual)}`;
    return [{ place, message }];
  }
  return expected.flatMap((inner, index) =>
    compareExpected(inner, actual[index], [...place, index]),
  );
}

function mismatch(expected: unknown, actual: unknown, place: Place): Problem {
  return { place, message: `${place.at(-1)}: expected ${show(expected)}, got ${show(actual)}` };
}

const LONGEST = 300;

/** A value as text of bearable length. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : serialise(value).text;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
