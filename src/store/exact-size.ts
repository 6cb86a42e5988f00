const NONE: readonly never[] = Object.freeze([]);

/** A copy to store in a row, without spare capacity: arrays that were grown keep some. */
export function withoutSpareCapacity<T>(values: readonly T[]): readonly T[] {
  // `slice(0)`, as `slice()` keeps the capacity.
  return values.length === 0 ? NONE : values.slice(0);
}

/** Returns `known` if it is equal, so that the rows that store the text share one string. */
export const sharedText = (text: string, known: string): string => (text === known ? known : text);
