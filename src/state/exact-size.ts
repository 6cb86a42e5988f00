const NONE: readonly never[] = Object.freeze([]);

/** The same values in a list that has room for no more, as a list that grew keeps room for what it may become. */
export function exactly<T>(values: readonly T[]): readonly T[] {
  // With a bound, as a plain copy keeps the room too.
  return values.length === 0 ? NONE : values.slice(0);
}

/** The text that is kept already where it is equal, so that rows hold it once. */
export const orKept = (text: string, kept: string): string => (text === kept ? kept : text);
