import { fromMillis, type Instant, type Interval, LAST_MILLIS, toMillis } from './instant.ts';

/** One or more calendar intervals; a single interval is given by its name. */
export type Cycle = Interval | { readonly interval: Interval; readonly interval_count: number };

/** A repeating step of time: calendar intervals, or a number of milliseconds. */
export type Span = Cycle | number;

export const isSameSpan = (left: Span | undefined, right: Span | undefined): boolean =>
  left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));

const DAY_MS = 86_400_000;

/** Days and weeks have a fixed length in UTC; only months and years need the calendar. */
const FIXED_MS: Readonly<Partial<Record<Interval, number>>> = { day: DAY_MS, week: 7 * DAY_MS };

/**
 * The moment `count` spans after another; undefined if it is beyond the last instant. Months and years lead to `day`
 * of the month, by default that of the first moment, or to the last day of a shorter month.
 *
 * @assumes A-605
 */
export function spansAfter(
  from: Instant,
  span: Span,
  count: number,
  day: number = dayOfMonth(from),
): Instant | undefined {
  if (typeof span === 'object')
    return spansAfter(from, span.interval, count * span.interval_count, day);
  const length = typeof span === 'number' ? span : FIXED_MS[span];
  const millis =
    length === undefined
      ? monthsAfter(toMillis(from), span === 'year' ? count * 12 : count, day)
      : toMillis(from) + length * count;
  return millis <= LAST_MILLIS ? fromMillis(millis) : undefined;
}

/** Counts from the original date, so that the day returns after a shorter month: 31 January, 28 February, 31 March. */
function monthsAfter(from: number, count: number, day: number): number {
  const start = new Date(from);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (from % DAY_MS);
}

export const dayOfMonth = (moment: Instant): number => Number(moment.slice(8, 10));

/** The smallest number of spans, a multiple of `step`, that leads from `from` to after `at`; at least 0. */
export function spansBeyond(
  from: Instant,
  span: Span,
  at: Instant,
  step = 1,
  day?: number,
): number {
  if (typeof span === 'object') {
    const { interval, interval_count } = span;
    return spansBeyond(from, interval, at, step * interval_count, day) / interval_count;
  }
  const length = typeof span === 'number' ? span : FIXED_MS[span];
  if (length !== undefined) {
    const distance = toMillis(at) - toMillis(from);
    return distance < 0 ? 0 : (Math.floor(distance / (length * step)) + 1) * step;
  }
  // The span that ends in the month or year of `at` can end before or after `at`; the next one ends after it.
  const same = calendarDistance(from, span as Interval, at);
  const count = Math.max(0, Math.ceil(same / step) * step);
  const moment = count > same ? undefined : spansAfter(from, span, count, day);
  return moment !== undefined && moment <= at ? count + step : count;
}

/** The number of calendar months or years between two moments. */
function calendarDistance(from: Instant, span: Interval, to: Instant): number {
  const years = yearOf(to) - yearOf(from);
  return span === 'year' ? years : years * 12 + monthOf(to) - monthOf(from);
}

const yearOf = (moment: Instant): number => Number(moment.slice(0, 4));
const monthOf = (moment: Instant): number => Number(moment.slice(5, 7));
