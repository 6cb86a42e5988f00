import { fromMillis } from '../../domain/instant.ts';
import { numberText, shortDayText, shortQuantity } from '../wording.ts';

/** One bar, with one or more stacked parts. The precision of a double is enough for a drawing. */
export interface Bar {
  readonly label: string;
  /** The heights of the parts, from the bottom up. */
  readonly heights: readonly number[];
  /** The tooltip. */
  readonly title: string;
}

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  /** The tooltip. */
  readonly title: string;
}

/** The maximum number of labels below a chart, so that they fit on a phone. */
const MAX_LABELS = 5;
/** A line of more points says no more, nor could their tooltips be found. */
export const MAX_POINTS = 200;

/** Returns the texts of the ticks, the highest first: as short as possible, but all different. */
export function tickTexts(ticks: readonly number[], unit: string): readonly string[] {
  for (let digits = 3; digits < MAX_DIGITS; digits += 1) {
    const texts = ticks.map((tick) => shortQuantity(tick, unit, digits));
    if (new Set(texts).size === texts.length) return texts.toReversed();
  }
  return ticks.map((tick) => numberText(tick)).toReversed();
}

const MAX_DIGITS = 15;

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const SHORT_SPAN = 2 * 86_400_000;

interface AxisLabel {
  readonly text: string;
  /** Percent of the width. */
  readonly at: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Returns the labels below a chart: below bars, or evenly spaced along the time of the points. */
export function labelsOf(bars: readonly Bar[], points: readonly Point[]): readonly AxisLabel[] {
  if (bars.length > 0) return barLabels(bars);
  const [from, to] = extent(points.map(({ at }) => at));
  const textAt = (at: number): string =>
    to - from < SHORT_SPAN ? CLOCK.format(at) : shortDayText(fromMillis(at));
  const steps = MAX_LABELS - 1;
  const all = Array.from({ length: MAX_LABELS }, (_, place) => ({
    text: textAt(from + ((to - from) * place) / steps),
    at: (100 * place) / steps,
    anchor: anchorOf(place, steps),
  }));
  if (new Set(all.map(({ text }) => text)).size === all.length) return all;
  return all.filter(({ text }, place) => place === 0 || (place === steps && text !== all[0]?.text));
}

/** The first and the last label stay inside the chart. */
const anchorOf = (place: number, last: number): AxisLabel['anchor'] => {
  if (place === 0) return 'start';
  return place === last ? 'end' : 'middle';
};

/** With more bars, a label is wider than its bar on a phone, so the last label ends with the chart. */
const MAX_WIDE_BARS = 8;

/** Labels the last bar, and others at equal distances before it. */
function barLabels(bars: readonly Bar[]): readonly AxisLabel[] {
  const last = bars.length - 1;
  const every = Math.ceil(bars.length / MAX_LABELS);
  return bars.flatMap(({ label: text }, place) => {
    if ((last - place) % every !== 0) return [];
    if (place === last && bars.length > MAX_WIDE_BARS) return { text, at: 100, anchor: 'end' };
    return { text, at: (100 * (place + 0.5)) / bars.length, anchor: 'middle' };
  });
}

export function extent(values: readonly number[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/**
 * Keeps the first point, and the last one of each of many equal parts of the width: the value that lasts until the next.
 *
 * @param along the place of an instant, in percent
 */
export function thin(points: readonly Point[], along: (at: number) => number): Point[] {
  const parts = points.map(({ at }) =>
    Math.min(MAX_POINTS - 1, Math.floor((along(at) * MAX_POINTS) / 100)),
  );
  return points.filter((_, place) => place === 0 || parts[place] !== parts[place + 1]);
}
