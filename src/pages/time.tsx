import { useContext } from 'preact/hooks';
import { type Day, type Instant, toMillis } from '../domain/instant.ts';
import { PageContext } from './page-context.ts';
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

/** A time in the time zone of the page, such as `15 Jan 2026, 12:00:00`. */
export function Time({ at, as = 'minute', hasDate = true, before = '', none = '' }: TimeProps) {
  const { zone } = useContext(PageContext);
  if (at === null || at === undefined) return <>{none}</>;
  const [day, clock = ''] = inZone(at, zone).split(' ');
  const minute = clock.slice(0, '12:00'.length) + (zone === 'UTC' ? ' UTC' : '');
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

export const dayIn = (at: string, zone: string): Day =>
  (zone === 'UTC' ? at : inZone(at, zone)).slice(0, '2026-01-01'.length) as Day;

/** Returns a time such as `2026-01-31 13:00:00`. */
function inZone(at: string, zone: string): string {
  if (zone === 'UTC') return at.slice(0, SECONDS.length).replace('T', ' ');
  return formatIn(zone).format(toMillis(at as Instant));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  formats.set(timeZone, format);
  return format;
}

export const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the canonical name of a time zone; UTC if the name is not known. */
export function readZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name || 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

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
