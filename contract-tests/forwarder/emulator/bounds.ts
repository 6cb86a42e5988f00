import { type ExactValue, textsIn } from './exact-value.ts';
import { isInstant } from './id-map.ts';
import { TIME_TOLERANCE } from './match-texts.ts';

/** The instants in a request's query, by which it limits its response. @units milliseconds since 1970 */
export const boundsIn = (query: URLSearchParams): readonly number[] =>
  [...query.values()].filter(isInstant).map((text) => Date.parse(text));

/** Whether an item is so close to a limit that clock differences can put it on either side. */
export function isNear(bounds: readonly number[], item: ExactValue): boolean {
  if (bounds.length === 0) return false;
  const moments = [...textsIn(item)].filter(isInstant).map((text) => Date.parse(text));
  return moments.some((one) => bounds.some((bound) => Math.abs(one - bound) < TIME_TOLERANCE));
}
