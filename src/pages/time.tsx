import { useContext } from 'preact/hooks';
import { type Day, type Instant, toMillis } from '../domain/instant.ts';
import { SurroundingsContext } from './page-context.ts';

interface TimeProps {
  readonly at: Instant | string | null | undefined;
  /** `minute` and `exact` (milliseconds) show the date. `clock` omits it if the rows are grouped by day. */
  readonly as?: 'minute' | 'exact' | 'clock';
  /** Shown if there is no time. */
  readonly none?: string;
}

/** A time in the time zone of the page. */
export function Time({ at, as = 'minute', none = '' }: TimeProps) {
  const { zone, isByDay = false } = useContext(SurroundingsContext);
  if (at === null || at === undefined) return <>{none}</>;
  const [day, clock = ''] = inZone(at, zone).split(' ');
  const fine = at.slice('2026-01-01T00:00:00'.length, -1);
  return (
    <time class="time" dateTime={at}>
      {as === 'minute' && minuteText(at, zone)}
      {(as === 'exact' || (as === 'clock' && !isByDay)) && `${day} `}
      {as !== 'minute' && clock}
      {as !== 'minute' && fine !== '.000' && <span class="fine">{fine}</span>}
    </time>
  );
}

export const dayIn = (at: string, zone: string): Day =>
  (zone === 'UTC' ? at : inZone(at, zone)).slice(0, '2026-01-01'.length) as Day;

/** Returns a time such as `2026-01-31 13:00:00`. */
function inZone(at: string, zone: string): string {
  if (zone === 'UTC') return at.slice(0, '2026-01-01T00:00:00'.length).replace('T', ' ');
  return formatIn('sv-SE', zone).format(toMillis(at as Instant));
}

const minuteText = (at: string, zone: string): string =>
  `${formatIn('en-GB', zone).format(toMillis(at as Instant))}${zone === 'UTC' ? ' UTC' : ''}`;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(locale: 'sv-SE' | 'en-GB', timeZone: string): Intl.DateTimeFormat {
  const name = `${locale} ${timeZone}`;
  const dateStyle = locale === 'sv-SE' ? 'short' : 'medium';
  const timeStyle = locale === 'sv-SE' ? 'medium' : 'short';
  const format =
    formats.get(name) ?? new Intl.DateTimeFormat(locale, { dateStyle, timeStyle, timeZone });
  formats.set(name, format);
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
