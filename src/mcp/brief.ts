import { parseExact, serialise } from '../text/exact-json.ts';

/** What a model reads of a list, of a text, and of a result as a whole. */
const MAX_ITEMS = 10;
const MAX_TEXT = 300;
const MAX_RESULT = 8_000;

/**
 * The JSON of a response, short enough for a model: without nulls, long lists and texts cut, each with what was left out.
 * Numbers keep all their digits.
 */
export function brief(json: string): string {
  if (json === '') return 'Done.';
  return cut(serialise(shorten(parseExact(json))).text);
}

/** A text up to the length of a result, with how much was left out. */
export function cut(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const rest = text.length - MAX_RESULT;
  return `${text.slice(0, MAX_RESULT)}… ${rest} more characters: narrow the request, or use limit and offset.`;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT)}… ${value.length - MAX_TEXT} more characters`;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shorten);
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const told = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(told.map(([name, each]) => [name, shorten(each)]));
}
