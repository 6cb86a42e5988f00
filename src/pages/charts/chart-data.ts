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
  /** Null where there is none: a gap in the line. */
  readonly value: number | null;
  /** Writes the tooltip. Called for the points that are drawn. */
  readonly title: () => string;
}
