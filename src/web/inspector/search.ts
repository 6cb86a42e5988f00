/** One condition of a search. A field's pattern holds `*` for any text. */
interface Term {
  readonly field: string | undefined;
  readonly pattern: string;
  readonly isExcluded: boolean;
}

/** What was asked for: fields such as `customer:acme`, bounds in time, and free words. */
export interface Search {
  readonly terms: readonly Term[];
}

/** What of a record a search can look at. */
export interface Subject {
  /** When it happened; all instants have one length, so that text order is time order. */
  readonly at?: string | undefined;
  readonly fields: Readonly<Record<string, readonly (string | undefined)[]>>;
  /** Where free words are looked for, beside the fields. */
  readonly text?: () => string;
}

const TOKEN = /-?(?:[a-z][a-z_]*:)?(?:"[^"]*"?|\S+)/gi;
const PARTS = /^(-?)(?:([a-z][a-z_]*):(?!\/\/))?(.*)$/is;
const BOUNDS = new Set(['before', 'after']);

/**
 * Reads a search such as `customer:acme status:422 topic:* before:2026-02-01 "no credit" -refund`. Quotes
 * keep blanks together, a hyphen in front excludes. Every text is a search; none is refused.
 */
export function parseSearch(text: string): Search {
  const terms = [...text.matchAll(TOKEN)].map(([token]): Term => {
    const [, hyphen, field, rest = ''] = PARTS.exec(token) ?? [];
    const pattern = rest.replaceAll('"', '').toLowerCase();
    return { field: field?.toLowerCase(), pattern, isExcluded: hyphen === '-' };
  });
  return { terms: terms.filter(({ pattern }) => pattern !== '') };
}

/** The fields that a search names and a list does not have. */
export function unknownFields({ terms }: Search, known: readonly string[]): string[] {
  const names = terms.flatMap(({ field }) => (field === undefined ? [] : [field]));
  return [...new Set(names)].filter((name) => !BOUNDS.has(name) && !known.includes(name));
}

/** Makes a judge of records. All conditions must hold. */
export function compileSearch({ terms }: Search): (subject: Subject) => boolean {
  const judges = terms.map((term) => {
    const judge = judgeOf(term);
    return term.isExcluded ? (subject: Subject) => !judge(subject) : judge;
  });
  return (subject) => judges.every((judge) => judge(subject));
}

function judgeOf({ field, pattern }: Term): (subject: Subject) => boolean {
  if (field === undefined) return wordJudge(pattern);
  const upper = pattern.toUpperCase();
  if (field === 'before') return ({ at }) => at !== undefined && at < upper;
  if (field === 'after') return ({ at }) => at !== undefined && at >= upper;
  const fits = matcherOf(pattern);
  return ({ fields }) =>
    Object.hasOwn(fields, field) &&
    (fields[field] ?? []).some((value) => value !== undefined && fits(value.toLowerCase()));
}

function wordJudge(word: string): (subject: Subject) => boolean {
  const within = (value: string | undefined) => value?.toLowerCase().includes(word) === true;
  return ({ fields, text }) => Object.values(fields).flat().some(within) || within(text?.());
}

/** The whole value or one word of it; with `*`, the whole value by the pattern. */
function matcherOf(pattern: string): (value: string) => boolean {
  if (!pattern.includes('*'))
    return (value) => value === pattern || value.split(/[^\p{L}\p{N}]+/u).includes(pattern);
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop() ?? '';
  return (value) => {
    if (!value.startsWith(first) || !value.endsWith(last)) return false;
    let place = first.length;
    for (const piece of others) {
      const found = value.indexOf(piece, place);
      if (found < 0) return false;
      place = found + piece.length;
    }
    return place + last.length <= value.length;
  };
}
