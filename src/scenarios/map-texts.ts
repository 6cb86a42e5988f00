import { isMarked } from '../text/exact-json.ts';
import type { Place } from './scenario.ts';

/** Marks an unknown value. Its field is left out. */
export const OMITTED = Symbol('omitted');

/** Copies a JSON value and replaces each of its texts. If the replacement is `OMITTED`, the field is left out. */
export function mapTexts(
  value: unknown,
  replace: (text: string, place: Place) => unknown,
  place: Place = [],
): unknown {
  if (typeof value === 'string') return isMarked(value) ? value : replace(value, place);
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
