import { compare, decimal } from '../../../domain/decimal.ts';
import { fromMillis, type Instant, toMillis } from '../../../domain/instant.ts';
import { nearest } from '../../../text/wording.ts';
import type { InspectorRequest } from '../inspector-request.ts';

/** One condition of a search. In a field's pattern, `*` matches any text. */
interface Term {
  /** As it was typed. */
  readonly text: string;
  readonly field: string | undefined;
  readonly pattern: string;
  readonly isExcluded: boolean;
}

/** A parsed search: conditions on fields such as `customer:acme`, time bounds, and free words. */
export interface Search {
  readonly terms: readonly Term[];
}

/** Returns the texts of a row for a search. */
type ReadForSearch<R> = (row: R, request: InspectorRequest) => readonly (string | undefined)[];

/** What a search looks at in the rows of a list. */
export interface Searchable<R> {
  /** The fields of the search, and what each contains for a row. */
  readonly fields: Readonly<Record<string, ReadForSearch<R>>>;
  /** The texts for free words, besides the fields; the row as JSON by default. */
  readonly text?: ReadForSearch<R>;
  /** The time of a row, for `before` and `after`. Instants are of one length, so they compare as texts. */
  readonly at?: ((row: R) => string) | undefined;
}

const TOKEN = /-?(?:[a-z][a-z_]*:)?(?:"[^"]*"?|\S+)/gi;
const PARTS = /^(-?)(?:([a-z][a-z_]*):(?!\/\/))?(.*)$/is;
const BOUNDS = new Set(['before', 'after']);
/** A comparison with a number, such as `>=12.5`. */
const COMPARISON = /^(>=|<=|>|<)(-?\d+(?:\.\d+)?)$/;
/** A relative time, such as `-7d`. */
const AGO = /^-(\d{1,6})(m|h|d|w)$/;
const AGO_UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** The pattern of a time bound: the beginning of a date-time. */
const MOMENT = /^\d{4}(-\d\d(-\d\d(t[\d:.]*z?)?)?)?$/;

/**
 * Parses a search such as `customer:acme status:422 topic:* before:2026-02-01 "no credit" -refund`. Quotes keep spaces
 * together; a leading hyphen excludes. It accepts every text.
 */
export function parseSearch(text: string): Search {
  const terms = [...text.matchAll(TOKEN)].map(([token]): Term => {
    const [, hyphen, field, rest = ''] = PARTS.exec(token) ?? [];
    const pattern = rest.replaceAll('"', '').toLowerCase();
    return { text: token, field: field?.toLowerCase(), pattern, isExcluded: hyphen === '-' };
  });
  return { terms: terms.filter(({ field, pattern }) => field !== undefined || pattern !== '') };
}

/** Returns which terms of a search a list does not understand, each with what was expected. */
export function misunderstood({ terms }: Search, fields: readonly string[]): string[] {
  return terms.flatMap((term) => {
    const expected = expectedOf(term, fields);
    return expected === undefined ? [] : [`${term.text} is not understood: ${expected}.`];
  });
}

function expectedOf({ field, pattern }: Term, fields: readonly string[]): string | undefined {
  if (field === undefined) return undefined;
  const isBound = BOUNDS.has(field);
  if (!isBound && !fields.includes(field)) return noField(field, [...fields, ...BOUNDS]);
  if (pattern === '') return `a value follows the colon, such as ${field}:x`;
  if (isBound && !AGO.test(pattern) && !MOMENT.test(pattern))
    return 'expected a date such as 2026-01-31 or a relative time such as -7d';
  if (/^[<>]/.test(pattern) && !COMPARISON.test(pattern))
    return `expected a number, such as ${field}:>=10`;
  return undefined;
}

function noField(field: string, fields: readonly string[]): string {
  const near = nearest(field, fields);
  const known = near === undefined ? `, but ${fields.join(', ')}` : `; did you mean ${near}`;
  return `this list has no field ${field}${known}`;
}

/** Returns the value that a search requires of a field; undefined for patterns, comparisons and exclusions. */
export function namedValue({ terms }: Search, field: string): string | undefined {
  const term = terms.find((each) => each.field === field && !each.isExcluded);
  return term && !/[*<>]/.test(term.pattern) ? term.pattern : undefined;
}

type Predicate<R> = (row: R) => boolean;

/** Returns a function that tells whether a row matches all conditions. Relative times count from the world's. */
export function compileSearch<R>(
  { terms }: Search,
  { fields, text = wholeOf, at }: Searchable<R>,
  request: InspectorRequest,
): Predicate<R> {
  const hasText = (reads: readonly ReadForSearch<R>[], fits: Predicate<string>) => (row: R) =>
    reads.some((read) =>
      read(row, request).some((each) => each !== undefined && fits(each.toLowerCase())),
    );
  const matchOf = ({ field, pattern }: Term): Predicate<R> => {
    if (field === undefined)
      return hasText([text, ...Object.values(fields)], (each) => each.includes(pattern));
    if (!BOUNDS.has(field)) {
      const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return hasText(read ? [read] : [], matcherOf(pattern));
    }
    const bound = momentOf(pattern, request.world.now);
    return (row) => at !== undefined && at(row) < bound === (field === 'before');
  };
  const predicates = terms.map((term): Predicate<R> => {
    const isMatch = matchOf(term);
    return term.isExcluded ? (row) => !isMatch(row) : isMatch;
  });
  return (row) => predicates.every((isMatch) => isMatch(row));
}

const wholeOf = (row: unknown): string[] => [JSON.stringify(row)];

/** Returns a time bound, such as `-7d` or `2026-01`, as text to compare with instants. */
function momentOf(pattern: string, now: Instant): string {
  const [, count, unit] = AGO.exec(pattern) ?? [];
  if (count === undefined) return pattern.toUpperCase();
  return fromMillis(toMillis(now) - Number(count) * AGO_UNITS[unit as keyof typeof AGO_UNITS]);
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** Compares numbers exactly. Other values never match. */
function comparisonOf(sign: string, bound: string): (value: string) => boolean {
  const [right, isIn] = [decimal(bound), COMPARISONS[sign] as (order: number) => boolean];
  return (value) => /^-?\d+(\.\d+)?$/.test(value) && isIn(compare(decimal(value), right));
}

/** Matches the whole value or one word of it; a pattern with `*` matches the whole value. */
function matcherOf(pattern: string): (value: string) => boolean {
  const [, sign, bound] = COMPARISON.exec(pattern) ?? [];
  if (sign !== undefined && bound !== undefined) return comparisonOf(sign, bound);
  if (!pattern.includes('*'))
    return (value) =>
      value === pattern ||
      (value.includes(pattern) && value.split(/[^\p{L}\p{N}]+/u).includes(pattern));
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
