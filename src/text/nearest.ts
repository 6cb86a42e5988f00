import { closest, distance } from 'fastest-levenshtein';

/** Returns the most similar name, or one of which it is the beginning; undefined if there is none. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || name.length > 64) return undefined;
  const lower = name.toLowerCase();
  const best = closest(lower, names as string[]);
  if (distance(lower, best) <= Math.max(2, best.length / 3)) return best;
  return name.length < SHORTEST_BEGINNING
    ? undefined
    : names.find((each) => each.toLowerCase().startsWith(lower));
}

const SHORTEST_BEGINNING = 4;

/** Returns a suggestion with a leading space, such as ` Did you mean list?`; empty if no name is similar enough. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
