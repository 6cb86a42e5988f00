import type { Place } from './scenario.ts';

/**
 * Where something stands in a text of JSON that was parsed before: the offset of a key, or of an entry of a
 * list; what is not there is where its holder is. It only skips through the text, as that may be very large.
 */
export function offsetInJson(text: string, place: Place): number {
  let at = blank(text, 0);
  let offset = at;
  for (const step of place) {
    const found = text[at] === '{' ? findKey(text, at, String(step)) : findEntry(text, at, step);
    if (!found) break;
    offset = found.offset;
    at = found.value;
  }
  return offset;
}

interface Found {
  readonly offset: number;
  /** Where its value begins. */
  readonly value: number;
}

/** The last of equal keys counts, as for the parser. */
function findKey(text: string, start: number, name: string): Found | undefined {
  let found: Found | undefined;
  let at = blank(text, start + 1);
  while (text[at] === '"') {
    const end = skip(text, at);
    const value = blank(text, blank(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === name) found = { offset: at, value };
    at = nextMember(text, value);
  }
  return found;
}

function findEntry(text: string, start: number, step: string | number): Found | undefined {
  if (text[start] !== '[') return undefined;
  let at = blank(text, start + 1);
  for (let index = 0; text[at] !== ']'; index += 1) {
    if (index === Number(step)) return { offset: at, value: at };
    at = nextMember(text, at);
  }
  return undefined;
}

/** Behind a value and the comma after it. */
function nextMember(text: string, value: number): number {
  const end = blank(text, skip(text, value));
  return text[end] === ',' ? blank(text, end + 1) : end;
}

function blank(text: string, start: number): number {
  return match(/\s*/y, text, start);
}

/** Behind the value that begins here. */
function skip(text: string, start: number): number {
  if (text[start] === '"') return match(STRING, text, start);
  if (text[start] !== '{' && text[start] !== '[') return match(/[^\s,\]}]+/y, text, start);
  let depth = 0;
  for (let at = start; ; ) {
    const sign = text[at];
    if (sign === '"') at = match(STRING, text, at);
    else at += 1;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at;
    at = match(/[^"[\]{}]*/y, text, at);
  }
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

function match(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
