import { isUtf8 } from 'node:buffer';
import type { Finding } from '../domain/rules.ts';
import type { Json, OperationSpec } from '../spec/document.ts';

/** A request that cannot be parsed. The response is 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** A body larger than a setting allows. The response is 413. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(limit: number) {
    super(`Expected at most ${limit} bytes.`);
  }
}

/** Maximum nesting depth of a body. @assumes A-202 */
const DEEPEST = 64;

type Query = Record<string, unknown>;

/**
 * Reads the query parameters with the types of the document. A value that does not convert remains text, so
 * that the validator reports it.
 *
 * @throws BadRequest for malformed percent-encoding and for a scalar given twice
 */
export function readQuery(text: string, operation: OperationSpec): Query {
  const query: Query = Object.create(null) as Query;
  if (text === '') return query;
  const schemas = new Map(operation.parameters.map(({ name, schema }) => [name, schema]));
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = convert(decodePart(equals < 0 ? '' : pair.slice(equals + 1)), schemas.get(name));
    const earlier = query[name];
    if (Array.isArray(earlier) && Array.isArray(value)) earlier.push(...value);
    else if (earlier !== undefined && schemas.has(name))
      throw new BadRequest(`${name}: given more than once.`);
    else query[name] = value;
  }
  return query;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new BadRequest('The query has malformed percent-encoding.');
  }
}

function convert(text: string, schema: Json | undefined): unknown {
  switch (schema?.['type']) {
    case 'integer':
      return readWhole(text);
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text === '' ? [] : text.split(',');
    default:
      return text;
  }
}

const LARGEST = 2n ** 63n - 1n;

/** Converts an int64. Returns the text if it is no whole number, and infinity if it is beyond. @assumes A-305 */
function readWhole(text: string): unknown {
  if (!/^-?\d+$/.test(text)) return text;
  const whole = BigInt(text);
  if (whole > LARGEST) return Infinity;
  return whole < -LARGEST ? -Infinity : Number(text);
}

/**
 * Parses the bytes of a body as a JSON object.
 *
 * @throws BadRequest saying what is wrong with them
 * @assumes A-202
 */
export function readBody(bytes: Buffer, contentType: string | undefined): Json {
  validateBytes(bytes, contentType);
  return validateObject(parseValue(bytes));
}

/** Checks bytes that are parsed as JSON elsewhere. @throws BadRequest saying what is wrong with them */
export function validateBytes(bytes: Buffer, contentType: string | undefined): void {
  if (bytes.length === 0) throw new BadRequest(NO_BODY);
  validateType(contentType);
  validateUtf8(bytes);
}

export const NO_BODY = 'A body is required.';

/** @throws BadRequest where the content type is not that of JSON */
export function validateType(contentType: string | undefined): void {
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i.test(contentType ?? ''))
    throw new BadRequest(
      `Expected the content type application/json, got ${contentType || 'none'}.`,
    );
}

/** @throws BadRequest where the bytes are no text */
export function validateUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new BadRequest('The body is not valid UTF-8.');
}

/**
 * Parses bytes as JSON. `place` names their part of the body in errors, `levels` is how deep they are nested.
 *
 * @throws BadRequest where they are no JSON, or nested too deep
 */
export function parseValue(bytes: Buffer, place = '', levels = scanValue(bytes).levels): unknown {
  if (levels > DEEPEST) throw new BadRequest(`The body is nested deeper than ${DEEPEST} levels.`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const at = place === '' ? '' : ` at ${place}`;
    const reason = bytes.indexOf('\uFEFF') === 0 ? MARKED : (error as Error).message;
    throw new BadRequest(`The body is not valid JSON${at}: ${reason}`);
  }
}

/** The parser's own message quotes the mark, which nobody sees. */
const MARKED = 'It begins with the byte order mark U+FEFF.';

/** @throws BadRequest where a body is no JSON object */
export function validateObject(body: unknown): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BadRequest('Expected a JSON object.');
  return body as Json;
}

/** What a value looks like before it is parsed. */
export interface ScannedValue {
  /** Where it ends: before the comma, colon or bracket after it, or at the end of the bytes. */
  readonly end: number;
  /** How many fields and items it has, by its commas. */
  readonly fields: number;
  /** How deep its brackets are nested. */
  readonly levels: number;
}

const [COMMA, COLON, QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] =
  Buffer.from(',:"\\{}[]');

/** Scans a value before it is parsed, because parsing deep nesting and many fields is slow. */
export function scanValue(bytes: Buffer, start = 0): ScannedValue {
  let [end, commas, depth, levels] = [start, 0, 0, 0];
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end];
    if (byte === QUOTE) end = endOfText(bytes, end);
    else if (byte === BRACE || byte === BRACKET) {
      depth += 1;
      levels = Math.max(levels, depth);
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      if (depth === 0) break;
      depth -= 1;
    } else if (byte === COMMA || byte === COLON) {
      if (depth === 0) break;
      commas += byte === COMMA ? 1 : 0;
    }
  }
  return { end: Math.min(end, bytes.length), fields: commas + 1, levels };
}

/** Where the closing quote of a text is. */
function endOfText(bytes: Buffer, start: number): number {
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end;
}

/** Finds text that no record can hold: NUL and lone surrogates. They can only come from escapes. @assumes A-202 */
export function findBadText(bytes: Buffer, body: unknown, place = ''): Finding[] {
  if (!bytes.includes('\\u')) return [];
  const findings: Finding[] = [];
  const visit = (value: unknown, field: string): void => {
    if (typeof value === 'string') {
      if (isBadText(value))
        findings.push({ field, message: 'Expected well-formed text without NUL.' });
    } else if (Array.isArray(value)) {
      for (const [place, inner] of value.entries()) visit(inner, `${field}[${place}]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const path = field === '' ? name : `${field}.${name}`;
        if (isBadText(name))
          findings.push({ field, message: 'Expected well-formed keys without NUL.' });
        else visit(inner, path);
      }
    }
  };
  visit(body, place);
  return findings;
}

const isBadText = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();
