/**
 * Judges paths by a pattern in which `*` stands for any part of one segment and `**` for any part of a path.
 * It follows all ways to fit at once, so that no pattern makes a path expensive.
 */
export function compilePath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return (path) => path === pattern;
  const tokens = pattern.match(/\*+|[^*]/gs)?.map(tokenOf) ?? [];
  return (path) => fits(tokens, path);
}

/** `*` within a segment, `**` across segments, or one character as it stands. */
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

/** The places in a pattern, with those behind each star among them, as a star may stand for nothing. */
function passStars(tokens: readonly string[], given: readonly number[]): ReadonlySet<number> {
  const places = new Set(given);
  for (const place of places) if (tokens[place]?.startsWith('*')) places.add(place + 1);
  return places;
}
