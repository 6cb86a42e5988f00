import { numberText, shortQuantity } from '../wording.ts';

/** One bar, with one or more stacked parts, or a part of a line. The precision of a double is enough for a drawing. */
export interface Bar {
  readonly label: string;
  /** The heights of the parts, from the bottom up. */
  readonly heights: readonly number[];
  /** The tooltip. */
  readonly title: string;
}

/** The maximum number of labels below a chart, so that they fit on a phone. */
const MAX_LABELS = 5;

/** Returns the texts of the ticks, the highest first: as short as possible, but all different. */
export function tickTexts(ticks: readonly number[], unit: string): readonly string[] {
  for (let digits = 3; digits < MAX_DIGITS; digits += 1) {
    const texts = ticks.map((tick) => shortQuantity(tick, unit, digits));
    if (new Set(texts).size === texts.length) return texts.toReversed();
  }
  return ticks.map((tick) => numberText(tick)).toReversed();
}

const MAX_DIGITS = 15;

interface AxisLabel {
  readonly text: string;
  /** Percent of the width. */
  readonly at: number;
  readonly anchor: 'middle' | 'end';
}

/** With more bars, a label is wider than its bar on a phone, so the last label ends with the chart. */
const MAX_WIDE_BARS = 8;

/** Returns the labels below a chart: of the last bar, and of others at equal distances before it. */
export function labelsOf(bars: readonly Bar[]): readonly AxisLabel[] {
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
