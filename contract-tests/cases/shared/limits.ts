/** A text of a length in characters, each of which is two units of UTF-16. */
export const long = (length: number) => '😀'.repeat(length);

/** The smallest amount that is kept. */
export const TINY = 0.0000000001;
