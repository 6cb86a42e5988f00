import { closest, distance } from 'fastest-levenshtein';

/** The nearest of some names, or undefined where none is near enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || name.length > 64) return undefined;
  const best = closest(name.toLowerCase(), names as string[]);
  return distance(name.toLowerCase(), best) <= Math.max(2, best.length / 3) ? best : undefined;
}

/** Asks, behind a space, whether the nearest of some names was meant; nothing where none is near enough. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
