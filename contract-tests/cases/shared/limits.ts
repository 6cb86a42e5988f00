/** A text with this number of characters, each of which is two UTF-16 code units. */
export const long = (length: number) => '😀'.repeat(length);

/** The smallest amount that is stored exactly. */
export const TINY = 0.0000000001;

/** The largest and the smallest exact decimals, with up to fifteen digits and ten decimals. */
export const DECIMALS = ['999999999999999', '12345678901234.5', '99999.9999999999', '0.0000000001'];

/** One beyond in magnitude, in digits and in decimals. */
export const NO_DECIMALS = [1e15, 999999999999999.5, 100000.0000000001, 0.00000000001, 1e300];
