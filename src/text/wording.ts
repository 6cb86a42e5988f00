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

/** A count with its noun, such as `1 step` or `2 steps`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Control characters except tab and line feed, and marks that reverse the direction of text. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes what a terminal would obey instead of showing, because names, ids and bodies come from others. JSON stays
 * the same JSON: it has these characters only in strings, where it reads the escapes.
 */
export const printable = (text: string): string => text.replaceAll(UNSEEN, escaped);

/** The same as one line, so that a text cannot pass for the next line of a list. */
export const printableLine = (text: string): string => printable(text).replaceAll('\n', '\\n');

/**
 * Shortens the keys of live worlds to the start of their names, which tells the worlds of one emulator apart. Logs and
 * errors are read by more than the keys are for.
 */
export const shortenLiveKeys = (text: string): string =>
  text.replaceAll(/\b(key_live_[a-z0-9-]{3})[a-z0-9-]+/g, '$1…');
