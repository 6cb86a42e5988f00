import type { Place } from './scenario.ts';

/** A decimal that is kept by its digits, as `parseExact` reads it. */
const isLongNumber = (text: string): boolean => text.startsWith('\u0000');

/** Stands for a value that cannot be told; its holder goes without it. */
export const OMITTED = Symbol('omitted');

/** A copy of a JSON value with each of its texts replaced, or left out with its field where that is `OMITTED`. */
export function mapTexts(
  value: unknown,
  replace: (text: string, place: Place) => unknown,
  place: Place = [],
): unknown {
  if (typeof value === 'string') return isLongNumber(value) ? value : replace(value, place);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((inner, index) => mapTexts(inner, replace, [...place, index]));
    return items.includes(OMITTED) ? OMITTED : items;
  }
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, mapTexts(inner, replace, [...place, name])] as const,
  );
  return Object.fromEntries(fields.filter(([, inner]) => inner !== OMITTED));
}
