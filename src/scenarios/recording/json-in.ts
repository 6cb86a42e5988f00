import { parseExact } from '../../text/exact-json.ts';

/** A text as JSON, its decimals to the last digit; undefined for no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return text === '' ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}
