import { DateTime, Duration } from 'luxon';

/** A moment in UTC as `2026-01-31T10:00:00.000Z`. All have one length, so text order is time order. */
export type Instant = string & { readonly instant: unique symbol };

/** A calendar day in UTC as `2026-01-31`. */
export type Day = string & { readonly day: unique symbol };

export type Interval = 'day' | 'week' | 'month' | 'year';

export const FIRST_INSTANT = '1970-01-01T00:00:00.000Z' as Instant;
export const LAST_INSTANT = '9999-12-31T23:59:59.999Z' as Instant;

/**
 * Reads an RFC 3339 date-time with any offset; undefined for what is none.
 *
 * @units milliseconds; further digits are cut
 * @assumes A-302
 */
export function parseInstant(text: string): Instant | undefined {
  if (PLAIN.test(text) && isDayOfMonth(text))
    return text.length === 24 ? (text as Instant) : fromMillis(Date.parse(text));
  const moment = DateTime.fromISO(text.toUpperCase(), { zone: 'utc' });
  if (!moment.isValid || moment.year < 0 || moment.year > 9999) return undefined;
  return moment.toISO() as Instant;
}

/** The form in which most requests give a moment, read without the library: batches hold a thousand. */
const PLAIN =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?Z$/;

/** Whether a well-formed date names a day that its month has. */
function isDayOfMonth(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day <= 28) return true;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5, 7))];
  if (month !== 2) return day <= 30 || ![4, 6, 9, 11].includes(month);
  return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The instant that a validated date-time of a request denotes. */
export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new RangeError(`Not an instant: ${text}`);
  return parsed;
}

export const fromMillis = (millis: number): Instant => new Date(millis).toISOString() as Instant;
export const toMillis = (moment: Instant): number => Date.parse(moment);
export const toUnixSeconds = (moment: Instant): number => Math.floor(toMillis(moment) / 1000);

/** The earliest of some moments; undefined where there is none. */
export const earliest = (moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((moment) => moment !== undefined).sort()[0];

/** A duration by the calendar. */
export interface TimeSpan {
  readonly years: number;
  readonly quarters: number;
  readonly months: number;
  toMillis(): number;
  /** As ISO 8601. */
  toISO(): string;
}

/**
 * Reads an ISO 8601 duration such as `P1M` or `PT5M`, or a short one such as `30d`, `1mo`, `15m`.
 *
 * @returns undefined for what is none
 */
export function parseDuration(text: string): TimeSpan | undefined {
  const short = /^(\d{1,9})(ms|s|m|h|d|w|mo|y)$/.exec(text);
  const duration = short
    ? Duration.fromObject({ [SHORT_UNITS[short[2] as keyof typeof SHORT_UNITS]]: Number(short[1]) })
    : Duration.fromISO(text);
  return duration.isValid ? duration : undefined;
}

const SHORT_UNITS = {
  ms: 'milliseconds',
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  mo: 'months',
  y: 'years',
} as const;

/** The duration that a validated setting or constant denotes. */
export function duration(text: string): TimeSpan {
  const known = durations.get(text);
  if (known) return known;
  const parsed = parseDuration(text);
  if (parsed === undefined) throw new RangeError(`Not a duration: ${text}`);
  if (durations.size < MOST_DURATIONS) durations.set(text, parsed);
  return parsed;
}

/** A length of time as ISO 8601, in days of 24 hours and less. @units milliseconds */
export const isoDuration = (millis: number): string =>
  Duration.fromMillis(millis).shiftTo('days', 'hours', 'minutes', 'seconds').toISO();

/** Durations are settings and constants, of which there are few. */
const durations = new Map<string, TimeSpan>();
const MOST_DURATIONS = 100;

/**
 * The moment a duration later, by the calendar: a month after 31 January is the last of February. Time ends
 * with the last instant, beyond which nothing lies.
 */
export function after(moment: Instant, span: TimeSpan | string): Instant {
  return laterBy(moment, typeof span === 'string' ? duration(span) : span) ?? LAST_INSTANT;
}

/** The same, undefined where no instant is that late. */
export function laterBy(moment: Instant, span: TimeSpan): Instant | undefined {
  const millis = fixedLength(span);
  if (millis !== undefined) {
    const later = toMillis(moment) + millis;
    if (millis >= 0) return later <= LAST_MILLIS ? fromMillis(later) : undefined;
  }
  return instantOf(calendar(moment).plus(span as Duration));
}

/** Reads by milliseconds, which costs half of reading by text. */
const calendar = (moment: Instant): DateTime =>
  DateTime.fromMillis(toMillis(moment), { zone: 'utc' });

function instantOf(moment: DateTime): Instant | undefined {
  return moment.isValid && moment.year <= 9999 ? fromMillis(moment.toMillis()) : undefined;
}

export const LAST_MILLIS = Date.parse(LAST_INSTANT);

/** The milliseconds of a duration that does not depend on the calendar: in UTC every day has the same. */
function fixedLength(span: TimeSpan): number | undefined {
  return span.years || span.quarters || span.months ? undefined : span.toMillis();
}

/** The moment a duration earlier. */
export function before(moment: Instant, span: TimeSpan | string): Instant {
  const length = typeof span === 'string' ? duration(span) : span;
  const millis = fixedLength(length);
  const earlier = toMillis(moment) - (millis ?? 0);
  if (millis !== undefined && millis >= 0 && earlier >= 0) return fromMillis(earlier);
  return calendar(moment)
    .minus(length as Duration)
    .toISO() as Instant;
}

export const dayOf = (moment: Instant): Day => moment.slice(0, 10) as Day;

/** The first day of the calendar month of a moment. */
export const monthStart = (moment: Instant): Day => `${moment.slice(0, 7)}-01` as Day;

export const startOfDay = (day: Day): Instant => `${day}T00:00:00.000Z` as Instant;
export const endOfDay = (day: Day): Instant => `${day}T23:59:59.999Z` as Instant;
