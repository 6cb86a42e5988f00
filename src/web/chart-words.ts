import type { Bar, Point } from './chart.tsx';
import { shortQuantity } from './wording.ts';

/** So many labels stand below a plot, so that they fit on a phone. */
const MOST_LABELS = 5;
/** Finer than a drawing shows. */
const MOST_POINTS = 400;

/** Values at the axis, short and yet each different, the highest first. */
export function tickTexts(ticks: readonly number[], unit: string): readonly string[] {
  for (let digits = 3; digits < MOST_DIGITS; digits += 1) {
    const texts = ticks.map((tick) => shortQuantity(tick, unit, digits));
    if (new Set(texts).size === texts.length) return texts.toReversed();
  }
  return ticks.map(String).toReversed();
}

const MOST_DIGITS = 15;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const SHORT_SPAN = 2 * 86_400_000;

/** Words below a plot, evenly spread from its beginning to its end. */
export function labelsOf(bars: readonly Bar[], points: readonly Point[]): readonly string[] {
  if (bars.length > 0) return spread(bars.map(({ label }) => label));
  const [from, to] = extent(points.map(({ at }) => at));
  const text = to - from < SHORT_SPAN ? CLOCK : DAY;
  const steps = MOST_LABELS - 1;
  const all = Array.from({ length: MOST_LABELS }, (_, place) =>
    text.format(from + ((to - from) * place) / steps),
  );
  return new Set(all).size === all.length ? all : [...new Set([all[0] ?? '', all.at(-1) ?? ''])];
}

function spread(labels: readonly string[]): readonly string[] {
  if (labels.length <= MOST_LABELS) return labels;
  const last = labels.length - 1;
  return Array.from({ length: MOST_LABELS }, (_, place) =>
    String(labels[Math.round((last * place) / (MOST_LABELS - 1))]),
  );
}

export function extent(values: readonly number[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** At most so many points, the last of all among them. */
export function thin(points: readonly Point[]): Point[] {
  const every = Math.ceil(points.length / MOST_POINTS);
  const last = points.length - 1;
  return points.filter((_, place) => place % every === 0 || place === last);
}
