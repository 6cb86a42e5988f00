import {
  fromMillis,
  type Instant,
  type Interval,
  LAST_MILLIS,
  parseInstant,
  toMillis,
} from './instant.ts';

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
 * The moment `count` spans after another; undefined if it is beyond the last instant.
 *
 * @assumes A-605 the day of the first moment comes back after a shorter month
 */
export function spansAfter(from: Instant, span: Span, count: number): Instant | undefined {
  if (typeof span === 'object') return spansAfter(from, span.interval, count * span.interval_count);
  const length = typeof span === 'number' ? span : FIXED_MS[span];
  const millis =
    length === undefined
      ? monthsAfter(toMillis(from), span === 'year' ? count * 12 : count)
      : toMillis(from) + length * count;
  return millis <= LAST_MILLIS ? fromMillis(millis) : undefined;
}

/** Counts from the original date, so that its day returns after a shorter month: 31 January, 28 February, 31 March. */
function monthsAfter(from: number, count: number): number {
  const start = new Date(from);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)) + (from % DAY_MS);
}

/** After so many spans of months, the same month of the year has come round; after so many of years, a leap year. */
const MOST_EARLIER = 12;

/**
 * From when to count spans, and how many of them lead to `next`, so that the day of an anchor comes back after a shorter
 * month; `next` itself if it is on another day.
 *
 * @assumes A-607
 */
export function countedFrom(
  next: Instant,
  span: Span,
  anchor: Instant,
): { readonly from: Instant; readonly count: number } {
  const anchorDay = anchor.slice(8, 10);
  // Spans of whole years from February never meet a longer month: the longest February takes its place.
  for (const day of anchorDay > '29' ? [anchorDay, '29'] : [anchorDay])
    for (let count = 0; count < MOST_EARLIER; count += 1) {
      const earlier = spansAfter(next, span, -count) as Instant;
      const from = parseInstant(`${earlier.slice(0, 8)}${day}${earlier.slice(10)}`);
      if (from && spansAfter(from, span, count) === next) return { from, count };
    }
  return { from: next, count: 0 };
}

/** The smallest number of spans, a multiple of `step`, that leads from `from` to after `at`; at least 0. */
export function spansBeyond(from: Instant, span: Span, at: Instant, step = 1): number {
  if (typeof span === 'object')
    return spansBeyond(from, span.interval, at, step * span.interval_count) / span.interval_count;
  const length = typeof span === 'number' ? span : FIXED_MS[span];
  if (length !== undefined) {
    const distance = toMillis(at) - toMillis(from);
    return distance < 0 ? 0 : (Math.floor(distance / (length * step)) + 1) * step;
  }
  // The span that ends in the month or year of `at` can end before or after `at`; the next one ends after it.
  const same = calendarDistance(from, span as Interval, at);
  const count = Math.max(0, Math.ceil(same / step) * step);
  const moment = count > same ? undefined : spansAfter(from, span, count);
  return moment !== undefined && moment <= at ? count + step : count;
}

/** The number of calendar months or years between two moments. */
function calendarDistance(from: Instant, span: Interval, to: Instant): number {
  const years = yearOf(to) - yearOf(from);
  return span === 'year' ? years : years * 12 + monthOf(to) - monthOf(from);
}

const yearOf = (moment: Instant): number => Number(moment.slice(0, 4));
const monthOf = (moment: Instant): number => Number(moment.slice(5, 7));
