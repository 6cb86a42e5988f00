/**
 * Compiles a path pattern. `*` matches any part of one segment, `**` any part of a path. All possible matches
 * are followed at once, so that no pattern is slow.
 */
export function compilePath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return (path) => path === pattern;
  const tokens = Int32Array.from(pattern.match(/\*+|[^*]/gs) ?? [], tokenOf);
  return (path) => fits(tokens, path);
}

const STAR = -1;
const STARS = -2;
const SLASH = 47;

/** `*` within a segment, `**` across segments, or one literal character. */
const tokenOf = (text: string): number =>
  text.startsWith('*') ? (text === '*' ? STAR : STARS) : text.charCodeAt(0);

function fits(tokens: Int32Array, path: string): boolean {
  let places = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  places[0] = 1;
  for (let at = 0; at < path.length; at += 1) {
    if (!step(tokens, path.charCodeAt(at), places, next)) return false;
    [places, next] = [next, places];
    next.fill(0);
  }
  return passStars(tokens, places).at(-1) === 1;
}

/** Marks the places after a character in `next`. Returns whether there is one. */
function step(tokens: Int32Array, code: number, places: Uint8Array, next: Uint8Array): boolean {
  let isAny = false;
  passStars(tokens, places);
  for (let place = 0; place < tokens.length; place += 1) {
    if (places[place] === 0) continue;
    const token = tokens[place];
    const stays = token === STARS || (token === STAR && code !== SLASH);
    if (stays) next[place] = 1;
    else if (token === code) next[place + 1] = 1;
    else continue;
    isAny = true;
  }
  return isAny;
}

/** Marks the place after each star that is marked, because a star can match nothing. */
function passStars(tokens: Int32Array, places: Uint8Array): Uint8Array {
  for (let place = 0; place < tokens.length; place += 1)
    if (places[place] === 1 && (tokens[place] as number) < 0) places[place + 1] = 1;
  return places;
}
