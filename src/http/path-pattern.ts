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
  passStars(tokens, places);
  for (let index = 0; index < path.length; index += 1) {
    step(tokens, places, next, path[index] as string);
    [places, next] = [next, places.fill(0)];
    passStars(tokens, places);
  }
  return places[tokens.length] === 1;
}

/** Marks the places that are reached by one more character. */
function step(
  tokens: readonly string[],
  places: Uint8Array,
  next: Uint8Array,
  character: string,
): void {
  for (let place = 0; place < tokens.length; place += 1) {
    if (places[place] === 0) continue;
    const token = tokens[place];
    if (token === '**' || (token === '*' && character !== '/')) next[place] = 1;
    else if (token === character) next[place + 1] = 1;
  }
}

/** Marks the places that are reached without a further character, as a star may stand for none. */
function passStars(tokens: readonly string[], places: Uint8Array): void {
  for (let place = 0; place < tokens.length; place += 1)
    if (places[place] === 1 && (tokens[place] === '*' || tokens[place] === '**'))
      places[place + 1] = 1;
}
