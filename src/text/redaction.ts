import type { IncomingHttpHeaders } from 'node:http';
import { parseExact, serialise } from './exact-json.ts';

export const REDACTED = '***';

const SECRET_HEADERS =
  /^((proxy-)?authorization|cookie|set-cookie|x-emulator-admin|x-(.*-)?(auth-)?token|(x-(.*-)?)?api-key)$/;
/** Fields that always hold a secret. */
export const SECRET_FIELDS = new Set(['secret', 'token']);
const SIGNING_SECRET = /whsec_[\w-]+/g;
const API_KEY = /\bkey_(test|live)_[a-z0-9][a-z0-9-]*/g;
/** A secret parameter in the query or fragment of a URL anywhere in a text; some JSON writers escape `&`. */
const QUERY_SECRET =
  /((?:[?&#]|\\u0026)[\w-]*(?:token|secret|password|signature|api[_-]?key)=)[^&#\s"'<>\\]+/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;
const HOSTED_LINK = /(\/hosted\/(?:portal\/visits|\w+)\/)[\w-]+/g;

/** Redacts keys, signing secrets, tokens of hosted links and secrets in URLs. */
export function redactText(text: string): string {
  return text
    .replace(SIGNING_SECRET, `whsec_${REDACTED}`)
    .replace(API_KEY, `key_$1_${REDACTED}`)
    .replace(HOSTED_LINK, `$1${REDACTED}`)
    .replace(QUERY_SECRET, `$1${REDACTED}`)
    .replace(URL_PASSWORD, `$1${REDACTED}`);
}

export type Redact = (text: string) => string;

/** Returns a function that redacts like `redactText` and also redacts the given secrets. */
export function redacting(secrets: Iterable<string>): Redact {
  const withoutThem = replacingAll(new Map([...secrets].map((secret) => [secret, REDACTED])));
  return (text) => redactText(withoutThem(text));
}

/** Redacts the query string of a URL, given without its question mark. */
export const redactQuery = (search: string, redactIn: Redact): string =>
  redactIn(`?${search}`).slice(1);

/** Returns a copy of a value with secrets redacted at any depth. */
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

/** Headers with one text each, secrets redacted. */
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

/** Redacts a body: as JSON if it is JSON, otherwise as text. */
export function redactBody(text: string, redactIn: Redact = redactText): string {
  if (text === '') return text;
  try {
    return serialise(redact(parseExact(text), redactIn)).text;
  } catch {
    return redactIn(text);
  }
}

/**
 * The secrets in headers, in each form in which they can appear elsewhere: the credentials after a scheme, the name
 * and password of basic authentication, the values of cookies.
 */
export function secretsIn(headers: IncomingHttpHeaders): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADERS.test(name.toLowerCase()))
    .flatMap(([, value]) => [...partsOf(String(value)), ...basicParts(String(value))])
    .filter((part) => part.length >= SHORTEST_SECRET);
}

/** A part can be `name=value`; the value can contain more equals signs. */
const partsOf = (value: string): readonly string[] =>
  value
    .split(/[\s;,]+/)
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1), ...part.split('=')]);

function basicParts(value: string): readonly string[] {
  const [, encoded] = /^Basic +([\w+/-]+=*) *$/i.exec(value) ?? [];
  return encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString('utf8').split(':');
}

/** Shorter parts of a header are schemes or names. */
const SHORTEST_SECRET = 8;

/** The encodings in which a text can appear in another: plain, URL, form, JSON and base64. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  String,
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => base64(text),
  // The credentials of a name without a password.
  (text) => base64(`${text}:`),
];

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Replaces each text that appears as a whole word, in every encoding; the longest match wins. */
export function replacingAll(texts: ReadonlyMap<string, string>): (text: string) => string {
  if (texts.size === 0) return (text) => text;
  const spelled = new Map<string, string>();
  for (const [text, replacement] of texts)
    for (const spell of SPELLINGS) {
      const found = spell(text.toWellFormed());
      if (!spelled.has(found)) spelled.set(found, spell(replacement));
    }
  const longestFirst = [...spelled.keys()].sort((left, right) => right.length - left.length);
  const any = longestFirst
    .map((text) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replaceAll(alone, (found) => spelled.get(found) as string);
}
