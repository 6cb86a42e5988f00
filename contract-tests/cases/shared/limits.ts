/** A text with this number of characters, each of which is two UTF-16 code units. */
export const long = (length: number) => '😀'.repeat(length);

/** The smallest amount that is stored exactly. */
export const TINY = 0.0000000001;
