import type { Interval } from './history.ts';

/**
 * The instant some intervals after another; in a shorter month, its last day.
 *
 * @param dayOf the instant whose day of the month months and years lead to
 */
export function later(
  anchor: number,
  interval: Interval,
  count: number,
  dayOf: number = anchor,
): number {
  const days = { day: 1, week: 7 }[interval as 'day' | 'week'];
  if (days) return anchor + days * count * 86_400_000;
  const from = new Date(anchor);
  const months = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const length = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const midnight = anchor - (anchor % 86_400_000);
  const day = Math.min(new Date(dayOf).getUTCDate(), length);
  return Date.UTC(from.getUTCFullYear(), months, day) + (anchor - midnight);
}

/** The first instant after `at`, of those counted from the anchor. */
export function nextAfter(
  anchor: number,
  interval: Interval,
  every: number,
  at: number,
  dayOf?: number,
): number {
  let count = countBefore(anchor, interval, every, at) + 1;
  while (later(anchor, interval, count * every, dayOf) <= at) count += 1;
  return later(anchor, interval, count * every, dayOf);
}

const LONGEST_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

/** A number of intervals, counted from the anchor, that end before an instant; from there it takes few steps to it. */
export function countBefore(anchor: number, interval: Interval, every: number, at: number): number {
  const longest = LONGEST_DAYS[interval] * every * 86_400_000;
  return Math.max(0, Math.floor((at - anchor) / longest) - 1);
}

/** The name of the calendar period in UTC that contains an instant. */
export function periodOf(at: number, period: string): string {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (period === 'monthly') return `${year}-${month}`;
  if (period === 'quarterly') return `${year}-Q${Math.floor(month / 3)}`;
  return period === 'yearly' ? `${year}` : 'lifetime';
}
