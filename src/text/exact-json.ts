import type { DecimalText } from '../domain/decimal.ts';

/**
 * JSON with exact numbers. A decimal that a double represents is written as a number. A longer one is marked as a
 * string that starts with NUL, which no accepted string contains, and with letters drawn for this process, which
 * bodies and responses in the request log cannot contain; the quotes are removed at the end.
 */
const LETTERS = Math.random().toString(36).slice(2, 10);
const MARK = `\u0000${LETTERS}:`;
const WRITTEN_MARK = `"\\u0000${LETTERS}:`;
const DIGITS = '(-?[0-9.eE+-]+)"';
const MARKED = new RegExp(`"\\\\u0000${LETTERS}:${DIGITS}`, 'g');
const MARKED_IN_YAML = new RegExp(`"\\\\0${LETTERS}:${DIGITS}`, 'g');

/** Whether a text stands for a decimal with exact digits, as `parseExact` returns it. */
export const isMarked = (text: string): boolean => text.startsWith(MARK);

/** The digits of a decimal that `parseExact` returned as a marked text; undefined for any other value. */
export const markedDigits = (value: unknown): DecimalText | undefined =>
  typeof value === 'string' && isMarked(value) ? value.slice(MARK.length) : undefined;

/** Writes the exact decimals in YAML as numbers. */
export const unmarkYaml = (text: string): string => text.replaceAll(MARKED_IN_YAML, '$1');

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
 * The value that `serialise` writes with exactly these digits. Its type is that of a wire number.
 *
 * @units as the text
 */
export function wireNumber(text: DecimalText): number {
  const double = Number(text);
  return String(double) === text ? double : (new LongNumber(text) as unknown as number);
}

export interface Serialised {
  readonly text: string;
  /** Whether a check that only supports doubles must parse the text again. */
  readonly hasLongNumbers: boolean;
}

/** Serialises a body with exact decimals. */
export function serialise(body: unknown): Serialised {
  const text = JSON.stringify(body);
  const hasLongNumbers = text.includes(WRITTEN_MARK);
  return { text: hasLongNumbers ? text.replace(MARKED, '$1') : text, hasLongNumbers };
}

/** The same with line breaks and indentation. */
export const serialiseForReading = (body: unknown): string =>
  (JSON.stringify(body, null, 2) ?? '').replace(MARKED, '$1');

const DIGITS_OF_A_DOUBLE = /[\d.]{17}/;
const TEXT_OR_DECIMAL = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?![\d.eE])/g;
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Whether a text can contain a decimal that a double cannot hold. */
export const hasLongNumbers = (text: string): boolean => DIGITS_OF_A_DOUBLE.test(text);

/** Parses JSON so that `serialise` writes every decimal with all its digits. */
export const parseExact = (text: string): unknown =>
  hasLongNumbers(text) ? parseMarked(text, TEXT_OR_DECIMAL) : JSON.parse(text);

/** The same for every number, including one that a double writes differently, such as 1.0 or 1e400. */
export const parseDigits = (text: string): unknown => parseMarked(text, TEXT_OR_NUMBER);

function parseMarked(text: string, tokens: RegExp): unknown {
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `${WRITTEN_MARK}${token}"`,
  );
  return JSON.parse(marked);
}

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
