import type { DecimalText } from './decimal.ts';

/**
 * JSON whose numbers are exact. A decimal that a double denotes is written as that number; a longer one
 * travels as text behind a NUL, which no accepted string contains, and is unquoted at the end.
 */
const MARK = '\u0000';
const MARKED = /"\\u0000(-?[0-9.]+)"/g;

class LongNumber {
  constructor(readonly text: DecimalText) {}

  toJSON(): string {
    return MARK + this.text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * The value that `stringify` prints as exactly these digits. Its type is that of the wire.
 *
 * @units as the text
 */
export function wireNumber(text: DecimalText): number {
  const double = Number(text);
  return String(double) === text ? double : (new LongNumber(text) as unknown as number);
}

/** Serialises a body, every decimal to its last digit. */
export function stringify(body: unknown): string {
  const text = JSON.stringify(body);
  return text.includes('"\\u0000') ? text.replace(MARKED, '$1') : text;
}

/** Whether a serialised body must be read back before a check that knows doubles only. */
export function hasLongNumbers(body: unknown): boolean {
  return body !== undefined && JSON.stringify(body).includes('"\\u0000');
}

const DIGITS_OF_A_DOUBLE = /[\d.]{17}/;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?![\d.eE])/g;

/** Reads JSON so that `stringify` prints every decimal of it to its last digit. */
export function parseExact(text: string): unknown {
  if (!DIGITS_OF_A_DOUBLE.test(text)) return JSON.parse(text);
  const marked = text.replace(TEXT_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"\\u0000${token}"`,
  );
  return JSON.parse(marked);
}
