const NONE: readonly never[] = Object.freeze([]);

/** A copy without spare capacity: arrays that were grown keep some. */
export function exactly<T>(values: readonly T[]): readonly T[] {
  // `slice(0)`, as `slice()` keeps the capacity.
  return values.length === 0 ? NONE : values.slice(0);
}

/** The known text if it is equal, so that rows share it. */
export const orKept = (text: string, kept: string): string => (text === kept ? kept : text);
