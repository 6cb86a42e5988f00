/** Median, minimum and maximum of figures. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  return { median: at(sorted.length >> 1), least: at(0), most: at(sorted.length - 1) };
}

export const median = (values: readonly number[]): number => spread(values).median;
