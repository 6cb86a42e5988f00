import { closest, distance } from 'fastest-levenshtein';

/** Returns the most similar name; undefined if none is similar enough. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || name.length > 64) return undefined;
  const best = closest(name.toLowerCase(), names as string[]);
  return distance(name.toLowerCase(), best) <= Math.max(2, best.length / 3) ? best : undefined;
}

/** Returns a suggestion with a leading space, such as ` Did you mean list?`; empty if no name is similar enough. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
