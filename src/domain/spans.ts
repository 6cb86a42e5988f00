import {
  fromMillis,
  type Instant,
  type Interval,
  intervalsAfter,
  LAST_INSTANT,
  toMillis,
} from './instant.ts';

/** A step of time that repeats: an interval of the calendar, or a number of milliseconds. */
export type Span = Interval | number;

/** An upper bound of each interval's length, from which a search for a moment may start. */
const LONGEST_MS: Readonly<Record<Interval, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 31 * 86_400_000,
  year: 366 * 86_400_000,
};

/**
 * The moment that lies `count` spans after another; undefined where no instant is that late.
 *
 * @assumes A-605 the day of the first moment comes back after a shorter month
 */
export function spansAfter(from: Instant, span: Span, count: number): Instant | undefined {
  if (typeof span === 'number') {
    const millis = toMillis(from) + span * count;
    return millis <= toMillis(LAST_INSTANT) ? fromMillis(millis) : undefined;
  }
  const moment = intervalsAfter(from, span, count) as Instant | null;
  return moment?.length === LAST_INSTANT.length ? moment : undefined;
}

/** How many spans, in steps of `step`, first lead from one moment to beyond another; at least 0. */
export function spansBeyond(from: Instant, span: Span, at: Instant, step = 1): number {
  const distance = toMillis(at) - toMillis(from);
  const length = typeof span === 'number' ? span : LONGEST_MS[span];
  let steps = Math.max(0, Math.floor(distance / (length * step)));
  for (;;) {
    const moment = spansAfter(from, span, steps * step);
    if (moment === undefined || moment > at) return steps * step;
    steps += 1;
  }
}
