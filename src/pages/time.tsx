import { type Day, type Instant, toMillis } from '../domain/instant.ts';
import { dayText } from './wording.ts';

interface TimeProps {
  readonly at: Instant | string | null | undefined;
  /** Only the date, or the time to the minute, the second (`exact`) or the millisecond (`request`). */
  readonly as?: 'day' | 'minute' | 'exact' | 'request';
  /** Whether it shows its date; not where that stands above. */
  readonly hasDate?: boolean;
  /** What stands before it, if there is a time. */
  readonly before?: string;
  /** Shown if there is no time. */
  readonly none?: string;
}

/** A time in UTC, such as `15 Jan 2026, 12:00:00`. */
export function Time({ at, as = 'minute', hasDate = true, before = '', none = '' }: TimeProps) {
  if (at === null || at === undefined) return <>{none}</>;
  const [day, clock = ''] = at.slice(0, SECONDS.length).split('T');
  const minute = `${clock.slice(0, '12:00'.length)} UTC`;
  const shown = { day: '', minute, exact: clock, request: clock }[as];
  return (
    <>
      {before}
      <time class="time" dateTime={at}>
        {[hasDate && dayText(day as Day), shown].filter(Boolean).join(', ')}
        {as === 'request' && <span class="fine">{at.slice(SECONDS.length, -1)}</span>}
      </time>
    </>
  );
}

const SECONDS = '2026-01-01T00:00:00';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns the difference between two times, such as `in 30 days` or `2 hours ago`. */
export function distanceText(at: Instant, from: Instant): string {
  const span = toMillis(at) - toMillis(from);
  const [unit, length] = UNITS.find(([, each]) => Math.abs(span) >= each) ?? UNITS[3];
  return RELATIVE.format(Math.trunc(span / length), unit);
}
