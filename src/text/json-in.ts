import { parseExact } from './exact-json.ts';

/** Parses JSON with exact decimals; undefined if the text is not JSON. */
export const exactJsonIn = (text: string): unknown => jsonIn(text, parseExact);

/** Parses JSON; undefined if the text is not JSON. */
export function jsonIn(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return text === '' ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
