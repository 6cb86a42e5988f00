import type { IncomingHttpHeaders } from 'node:http';
import { parseExact, serialise } from './exact-json.ts';
import { replacingAll } from './replace-all.ts';

/** What stands where a secret stood. */
export const REDACTED = '***';

const SECRET_HEADERS =
  /^((proxy-)?authorization|cookie|set-cookie|x-emulator-admin|x-(.*-)?(auth-)?token|(x-(.*-)?)?api-key)$/;
/** Fields that hold a secret and nothing else. */
export const SECRET_FIELDS = new Set(['secret', 'token']);
const SIGNING_SECRET = /whsec_[\w-]+/g;
const API_KEY = /\bkey_(test|live)_[a-z0-9][a-z0-9-]*/g;
/** A field of a query or fragment, in an address wherever it stands; some JSON writers escape `&`. */
const QUERY_SECRET =
  /((?:[?&#]|\\u0026)[\w-]*(?:token|secret|password|signature|api[_-]?key)=)[^&#\s"'<>\\]+/gi;
/** The password in an address. */
const URL_PASSWORD = /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;
const HOSTED_LINK = /(\/hosted\/(?:portal\/visits|\w+)\/)[\w-]+/g;

/** A text without what admits its bearer: keys, signing secrets, tokens of hosted links, secrets in addresses. */
export function redactText(text: string): string {
  return text
    .replace(SIGNING_SECRET, `whsec_${REDACTED}`)
    .replace(API_KEY, `key_$1_${REDACTED}`)
    .replace(HOSTED_LINK, `$1${REDACTED}`)
    .replace(QUERY_SECRET, `$1${REDACTED}`)
    .replace(URL_PASSWORD, `$1${REDACTED}`);
}

/** What takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Redacts a text as `redactText` does, and some secrets beside, wherever they stand. */
export function redacting(secrets: Iterable<string>): Redact {
  const withoutThem = replacingAll(new Map([...secrets].map((secret) => [secret, REDACTED])));
  return (text) => redactText(withoutThem(text));
}

/** The text behind a question mark without secrets, its first field as any other. */
export const redactQuery = (search: string, redactIn: Redact): string =>
  redactIn(`?${search}`).slice(1);

/** A value without secrets, at any depth; the value given stays as it is. */
export function redact(value: unknown, redactIn: Redact = redactText): unknown {
  if (typeof value === 'string') return redactIn(value);
  if (Array.isArray(value)) return value.map((inner) => redact(inner, redactIn));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    typeof inner === 'string' && isSecret(name) ? REDACTED : redact(inner, redactIn),
  ]);
  return Object.fromEntries(entries);
}

const isSecret = (name: string): boolean =>
  SECRET_FIELDS.has(name) || SECRET_HEADERS.test(name.toLowerCase());

/** Headers as one text each, those that carry a secret without it. */
export function redactHeaders(
  headers: IncomingHttpHeaders | Readonly<Record<string, string>>,
  redactIn: Redact = redactText,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.test(name.toLowerCase()) ? REDACTED : redactIn(String(value)),
  ]);
  return Object.fromEntries(entries);
}

/** A body without secrets: as JSON where it is, else as text. */
export function redactBody(text: string, redactIn: Redact = redactText): string {
  if (text === '') return text;
  try {
    return serialise(redact(parseExact(text), redactIn)).text;
  } catch {
    return redactIn(text);
  }
}

/**
 * The secrets among headers, as they may stand elsewhere: what follows a scheme, name and password of the basic one, the
 * values of cookies.
 */
export function secretsIn(headers: IncomingHttpHeaders): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADERS.test(name.toLowerCase()))
    .flatMap(([, value]) => [...partsOf(String(value)), ...basicParts(String(value))])
    .filter((part) => part.length >= SHORTEST_SECRET);
}

/** A part may be `name=value`, whose value may have more of these marks. */
const partsOf = (value: string): readonly string[] =>
  value
    .split(/[\s;,]+/)
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1), ...part.split('=')]);

function basicParts(value: string): readonly string[] {
  const [, encoded] = /^Basic +([\w+/-]+=*) *$/i.exec(value) ?? [];
  return encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString('utf8').split(':');
}

/** A shorter part of a header is a scheme or a name. */
const SHORTEST_SECRET = 8;
