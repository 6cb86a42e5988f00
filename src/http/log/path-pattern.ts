/**
 * Compiles a path pattern. `*` matches any part of one segment, `**` any part of a path. All possible matches
 * are followed at once, so that no pattern is slow.
 */
export function compilePath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return (path) => path === pattern;
  const tokens = pattern.match(/\*+|[^*]/gs)?.map(tokenOf) ?? [];
  return (path) => fits(tokens, path);
}

/** `*` within a segment, `**` across segments, or one literal character. */
const tokenOf = (text: string): string => (text.startsWith('**') ? '**' : text);

function fits(tokens: readonly string[], path: string): boolean {
  let places = passStars(tokens, [0]);
  for (const character of path.split('')) {
    const next: number[] = [];
    for (const place of places) {
      const token = tokens[place];
      if (token === '**' || (token === '*' && character !== '/')) next.push(place);
      else if (token === character) next.push(place + 1);
    }
    if (next.length === 0) return false;
    places = passStars(tokens, next);
  }
  return places.has(tokens.length);
}

/** Adds the places after each star, because a star can match nothing. */
function passStars(tokens: readonly string[], given: readonly number[]): ReadonlySet<number> {
  const places = new Set(given);
  for (const place of places) if (tokens[place]?.startsWith('*')) places.add(place + 1);
  return places;
}
