import { DateTime, Duration, Settings } from 'luxon';

// Nothing here depends on a locale; to find that of the system takes Node 10 ms.
Settings.defaultLocale = 'en';

/** A moment in UTC as `2026-01-31T10:00:00.000Z`. All have one length, so text order is time order. */
export type Instant = string & { readonly instant: unique symbol };

/** A calendar day in UTC as `2026-01-31`. */
export type Day = string & { readonly day: unique symbol };

export type Interval = 'day' | 'week' | 'month' | 'year';

/** The first instant that the clock of a world can show. @assumes A-1301 */
export const FIRST_INSTANT = '1970-01-01T00:00:00.000Z' as Instant;
/** The first and the last instant with a year of four digits. */
const LEAST_INSTANT = '0000-01-01T00:00:00.000Z' as Instant;
export const LAST_INSTANT = '9999-12-31T23:59:59.999Z' as Instant;

/**
 * Reads an RFC 3339 date-time with any offset; undefined if the text is not one.
 *
 * @units milliseconds; further digits are cut
 * @assumes A-302
 */
export function parseInstant(text: string): Instant | undefined {
  if (PLAIN.test(text) && isDayOfMonth(text))
    return text.length === 24 ? (text as Instant) : fromMillis(Date.parse(text));
  const moment = DateTime.fromISO(text.toUpperCase(), { zone: 'utc' });
  return instantOf(moment);
}

/** The same, but only of an instant that the clock of a world can show. @assumes A-1301 */
export function parseClockTime(text: string): Instant | undefined {
  const parsed = parseInstant(text);
  return parsed === undefined || parsed < FIRST_INSTANT ? undefined : parsed;
}

/**
 * The usual form of a date-time in requests. It is read without the library for speed: a batch holds up to a
 * thousand.
 */
const PLAIN =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?Z$/;

/** Whether the month of a well-formed date has its day. */
function isDayOfMonth(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day <= 28) return true;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5, 7))];
  if (month !== 2) return day <= 30 || ![4, 6, 9, 11].includes(month);
  return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const DATE_TIME =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a text is a date that exists. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined;
}

/** Whether a text is an RFC 3339 date-time that exists. @assumes A-302 */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && parseInstant(text) !== undefined;
}

/** The instant of a date-time that has passed validation. @throws RangeError if it is not one */
export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new RangeError(`Not an instant: ${text}`);
  return parsed;
}

export const fromMillis = (millis: number): Instant => new Date(millis).toISOString() as Instant;
export const toMillis = (moment: Instant): number => Date.parse(moment);
export const toUnixSeconds = (moment: Instant): number => Math.floor(toMillis(moment) / 1000);

/** The earliest instant; undefined if there is none. */
export function earliest(moments: readonly (Instant | undefined)[]): Instant | undefined {
  let first: Instant | undefined;
  for (const moment of moments)
    if (moment !== undefined && (first === undefined || moment < first)) first = moment;
  return first;
}

/** A calendar duration. */
interface TimeSpan {
  readonly years: number;
  readonly quarters: number;
  readonly months: number;
  toMillis(): number;
  toISO(): string;
}

/**
 * Reads an ISO 8601 duration such as `P1M` or `PT5M`, or a short one such as `30d`, `1mo`, `15m`.
 *
 * @returns undefined if the text is not a duration
 */
export function parseDuration(text: string): TimeSpan | undefined {
  const short = /^(\d{1,9})(ms|s|m|h|d|w|mo|y)$/.exec(text);
  const duration = short
    ? Duration.fromObject({ [SHORT_UNITS[short[2] as keyof typeof SHORT_UNITS]]: Number(short[1]) })
    : Duration.fromISO(text);
  // Luxon reads `P`, `PT` and `P1DT`, which name no unit, as well.
  return duration.isValid && !/[PT]$/i.test(text) ? duration : undefined;
}

/** Whether a text is an instant of a clock, or a duration, which can be negative. */
export function isMoment(text: string): boolean {
  return parseClockTime(text) !== undefined || parseDuration(text.replace(/^-/, '')) !== undefined;
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

/** The duration of a setting or constant that has passed validation. @throws RangeError if it is not one */
export function duration(text: string): TimeSpan {
  const known = durations.get(text);
  if (known) return known;
  const parsed = parseDuration(text);
  if (parsed === undefined) throw new RangeError(`Not a duration: ${text}`);
  if (durations.size < MAX_DURATIONS) durations.set(text, parsed);
  return parsed;
}

/** A length of time as ISO 8601 text, in days of 24 hours and smaller units. @units milliseconds */
export const isoDuration = (millis: number): string =>
  Duration.fromMillis(millis).shiftTo('days', 'hours', 'minutes', 'seconds').toISO();

/** A cache; settings and constants use few durations. */
const durations = new Map<string, TimeSpan>();
const MAX_DURATIONS = 100;

/**
 * The instant a calendar duration later, at most the last instant. A month after 31 January is the last of February.
 */
export function after(moment: Instant, span: TimeSpan | string): Instant {
  const length = typeof span === 'string' ? duration(span) : span;
  return laterBy(moment, length) ?? (length.toMillis() < 0 ? LEAST_INSTANT : LAST_INSTANT);
}

/** The same as `after`, but undefined outside of the years with four digits. */
export function laterBy(moment: Instant, span: TimeSpan): Instant | undefined {
  const millis = fixedLength(span);
  if (millis !== undefined) {
    const later = toMillis(moment) + millis;
    if (millis >= 0) return later <= LAST_MILLIS ? fromMillis(later) : undefined;
  }
  return instantOf(calendar(moment).plus(span as Duration));
}

/** Created from milliseconds, which takes half the time of parsing text. */
const calendar = (moment: Instant): DateTime =>
  DateTime.fromMillis(toMillis(moment), { zone: 'utc' });

function instantOf(moment: DateTime): Instant | undefined {
  const hasFourDigits = moment.isValid && moment.year >= 0 && moment.year <= 9999;
  return hasFourDigits ? fromMillis(moment.toMillis()) : undefined;
}

export const LAST_MILLIS = Date.parse(LAST_INSTANT);

/** The instant of a time in milliseconds since 1970, or the nearest one that a clock can show. */
export const nearestInstant = (millis: number): Instant =>
  fromMillis(Math.min(Math.max(millis, 0), LAST_MILLIS));

/**
 * The milliseconds of a duration without years, quarters and months; undefined for any other. Every UTC day has the
 * same length.
 */
const fixedLength = (span: TimeSpan): number | undefined =>
  span.years || span.quarters || span.months ? undefined : span.toMillis();

/** The instant a duration earlier, at least the first one with a year of four digits. */
export function before(moment: Instant, span: TimeSpan | string): Instant {
  const length = typeof span === 'string' ? duration(span) : span;
  const millis = fixedLength(length);
  const earlier = toMillis(moment) - (millis ?? 0);
  if (millis !== undefined && millis >= 0 && earlier >= 0) return fromMillis(earlier);
  const earliest = length.toMillis() < 0 ? LAST_INSTANT : LEAST_INSTANT;
  return instantOf(calendar(moment).minus(length as Duration)) ?? earliest;
}

export const dayOf = (moment: Instant): Day => moment.slice(0, 10) as Day;

/** The first day of the calendar month that contains an instant. */
export const monthStart = (moment: Instant): Day => `${moment.slice(0, 7)}-01` as Day;

export const startOfDay = (day: Day): Instant => `${day}T00:00:00.000Z` as Instant;
export const endOfDay = (day: Day): Instant => `${day}T23:59:59.999Z` as Instant;

const DAY = 86_400_000;

/** Returns the days from one to another, including both. */
export function daysBetween(first: Day, last: Day): Day[] {
  const [from, to] = [toMillis(startOfDay(first)), toMillis(startOfDay(last))];
  const count = (to - from) / DAY + 1;
  return Array.from({ length: count }, (_, place) => dayOf(fromMillis(from + place * DAY)));
}
