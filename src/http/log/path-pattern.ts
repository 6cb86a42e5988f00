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
  let places = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  places[0] = 1;
  let first = passStars(tokens, places, 0);
  for (let index = 0; index < path.length; index += 1) {
    if (!step(tokens, places, next, first, path[index] as string)) return false;
    [places, next] = [next, places.fill(0)];
    first = passStars(tokens, places, first);
  }
  return places[tokens.length] === 1;
}

/** Marks the places that are reached by one more character; whether there are any. */
function step(
  tokens: readonly string[],
  places: Uint8Array,
  next: Uint8Array,
  first: number,
  character: string,
): boolean {
  let reached = false;
  for (let place = first; place < tokens.length; place += 1) {
    if (places[place] === 0) continue;
    const token = tokens[place];
    const stays = token === '**' || (token === '*' && character !== '/');
    if (!stays && token !== character) continue;
    next[stays ? place : place + 1] = 1;
    reached = true;
  }
  return reached;
}

/**
 * Marks the places that are reached without a further character, as a star may stand for none. Answers the
 * last double star among them, or where to look from otherwise: from before it nothing more can be reached.
 */
function passStars(tokens: readonly string[], places: Uint8Array, from: number): number {
  let first = from;
  for (let place = from; place < tokens.length; place += 1) {
    if (places[place] === 0) continue;
    const token = tokens[place];
    if (token === '**') first = place;
    if (token === '*' || token === '**') places[place + 1] = 1;
  }
  return first;
}
