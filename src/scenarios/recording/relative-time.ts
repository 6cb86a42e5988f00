import { type Instant, isoDuration, parseInstant, toMillis } from '../../domain/instant.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,3})?([Zz]|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const DAY = 86_400_000;
/** Dates further from the start are content, such as a birthday, and are not made relative. */
const FARTHEST = 10 * 366 * DAY;

/**
 * Returns the instant if it is the whole text. Undefined for other texts and for more precision than
 * milliseconds.
 */
export const instantIn = (text: string): Instant | undefined =>
  DATE_TIME.test(text) ? parseInstant(text) : undefined;

/**
 * Returns a date or an instant as a reference to the start of the replay. Undefined for other texts and for
 * distant dates.
 */
export function relativeTo(start: Instant, text: string): string | undefined {
  const moment = instantIn(text);
  if (moment !== undefined) return distance('$start', toMillis(moment) - toMillis(start));
  if (!DATE.test(text)) return undefined;
  const day = parseInstant(`${text}T00:00:00Z`);
  const first = parseInstant(`${start.slice(0, 10)}T00:00:00Z`) as Instant;
  return day && distance('$start_date', toMillis(day) - toMillis(first));
}

function distance(from: string, millis: number): string | undefined {
  if (Math.abs(millis) > FARTHEST) return undefined;
  if (millis === 0) return from;
  return `${from}${millis < 0 ? '-' : '+'}${isoDuration(Math.abs(millis))}`;
}

/** Returns a moment as its distance from the start, in the form of `at` and `set`. */
export function fromStart(start: Instant, moment: Instant): string {
  const millis = toMillis(moment) - toMillis(start);
  return `${millis < 0 ? '-' : ''}${isoDuration(Math.abs(millis))}`;
}
