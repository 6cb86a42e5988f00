import { type Instant, isoDuration, parseInstant, toMillis } from '../../domain/instant.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,3})?([Zz]|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const DAY = 86_400_000;
/** A date further from the start belongs to what is told and not to when: a day of birth, the end of time. */
const FARTHEST = 10 * 366 * DAY;

/** The instant that a text is, and nothing else; undefined for any other, and for one finer than milliseconds. */
export function instantIn(text: string): Instant | undefined {
  return DATE_TIME.test(text) ? parseInstant(text) : undefined;
}

/** A date or an instant as a reference to the start of the replay; undefined for what is none or lies far off. */
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

/** A moment by its distance from the start, as `at` and `set` take it. */
export function fromStart(start: Instant, moment: Instant): string {
  const millis = toMillis(moment) - toMillis(start);
  return `${millis < 0 ? '-' : ''}${isoDuration(Math.abs(millis))}`;
}
