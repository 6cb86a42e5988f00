import type { Place } from './scenario.ts';

interface Entry {
  /** The offset of the key in an object, or of the entry in a list. */
  readonly offset: number;
  readonly valueOffset: number;
}

/** The first character of a string, a punctuation character, or any other JSON value. */
const TOKEN = /["[\]{}:,]|[^\s[\]{}:,"]+/g;
const SEPARATORS = ':,}]';

/**
 * Returns a function that finds the offsets of places in valid JSON. A missing place has the offset of its parent. It
 * reads each object and list on the way once, as YAML would take seconds and gigabytes for a large recording.
 */
export function offsetsInJson(text: string): (place: Place) => number {
  const known = new Map<number, ReadonlyMap<string, Entry>>();
  const entriesAt = (offset: number) => {
    const entries = known.get(offset) ?? readEntries(text, offset);
    known.set(offset, entries);
    return entries;
  };
  const start = text.search(/\S/);
  return (place) => {
    let found: Entry = { offset: start, valueOffset: start };
    for (const step of place) {
      const entry = entriesAt(found.valueOffset).get(String(step));
      if (!entry) break;
      found = entry;
    }
    return found.offset;
  };
}

/** Returns the entries of the value at an offset, by key or index. If a key occurs twice, the last counts. */
function readEntries(text: string, start: number): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const isList = text[start] === '[';
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = start;
  let depth = 0;
  let key: { readonly name: string; readonly offset: number } | undefined;
  do {
    const { 0: token, index } = tokens.exec(text) as RegExpExecArray;
    if (token === '"') tokens.lastIndex = endOfString(text, index);
    if (depth === 1 && !SEPARATORS.includes(token)) {
      if (isList) entries.set(String(entries.size), { offset: index, valueOffset: index });
      else if (!key) key = { name: JSON.parse(text.slice(index, tokens.lastIndex)), offset: index };
      else {
        entries.set(key.name, { offset: key.offset, valueOffset: index });
        key = undefined;
      }
    }
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
  } while (depth > 0);
  return entries;
}

const [QUOTE, BACKSLASH] = [34, 92];

/** The offset after a string. A regular expression would overflow the stack in a string of millions of escapes. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  return end + 1;
}
