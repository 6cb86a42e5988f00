/** Removes secrets and personal data from texts. */
export type Redactor = ReturnType<typeof createRedactor>;

const SECRET_FIELDS = new Set(['secret', 'redirect_url', 'email']);

export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name);

const MAIL = /[^\s"'<>@:/]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+/g;
const SIGNING_SECRET = /whsec_[A-Za-z0-9_=-]+/g;
const HOSTED_LINK = /https?:\/\/[^\s"'<>]*\/(hosted|checkout|portal|pay)[^\s"'<>]*/gi;

const IDENTIFIER = /\b(acc|cust|dlv|dst|evt|fee|grt|org|pay|prc|prp|pss|sub|top|vnd|whd)_\w+/g;

/** @param secrets values that are secret from the start, such as the key */
export function createRedactor(secrets: readonly string[]) {
  const known = new Set<string>();
  /** Adds a secret value, which is then redacted everywhere. */
  const learn = (value: unknown): void => {
    if (typeof value === 'string' && value.length >= 6) known.add(value);
  };
  for (const secret of secrets) learn(secret);
  /** Adds the values of all secret fields in a body. */
  const learnFrom = (body: unknown): void => {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      if (isSecretField(name)) learn(value);
      else learnFrom(value);
    }
  };
  const text = (given: string): string => {
    let clean = given;
    for (const secret of [...known].sort((one, other) => other.length - one.length))
      clean = clean.replaceAll(secret, '‹redacted›');
    return clean
      .replaceAll(SIGNING_SECRET, '‹redacted›')
      .replaceAll(HOSTED_LINK, '‹redacted link›')
      .replaceAll(MAIL, '‹redacted mail›');
  };
  /** Redacts every text within a value, including field names. */
  const all = <T>(value: T): T => mapTexts(value, text) as T;
  return { learn, learnFrom, text, all };
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, map));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]),
  );
}

/** Shortens each id in a text to its prefix. */
const withoutIds = (text: string): string => text.replaceAll(IDENTIFIER, '$1_…');

/** Replaces parts of a text that differ between runs: ids, instants, names that the suite made. */
export function stableText(text: string): string {
  return withoutIds(text)
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, '‹uuid›')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '‹instant›')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '‹day›')
    .replaceAll(/\bCT[A-Z0-9]+N\d{4}\b/g, '‹code›')
    .replaceAll(/\bcontract[-:.][\w:.-]+/g, '‹name›');
}
