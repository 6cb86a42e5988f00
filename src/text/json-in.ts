import { parseExact } from './exact-json.ts';

/** A text as JSON, its decimals to the last digit; undefined for no JSON. */
export function exactJsonIn(text: string): unknown {
  return jsonIn(text, parseExact);
}

/** A text as JSON; undefined for no JSON. */
export function jsonIn(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return text === '' ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
