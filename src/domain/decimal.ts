import Big from 'big.js';

/** An exact decimal number. Money is always one of these, never a bare number. */
export type Decimal = Big;

/** A decimal in plain notation, the form in which records keep it. */
export type DecimalText = string;

/** Decimal places that an amount in a currency is kept to. */
export const CURRENCY_PLACES = 10;

/** Significant digits of rates' inverses, margins and other ratios. */
export const RATIO_DIGITS = 12;

const Exact = Big();
Exact.PE = 1e6;
Exact.NE = -1e6;

/** A second constructor for division alone, as the library keeps the places of a quotient there. */
const Quotient = Big();
Quotient.RM = Big.roundDown;

export const ZERO: Decimal = new Exact(0);
export const ONE: Decimal = new Exact(1);

/**
 * Reads a number or its text as an exact decimal. A JSON number is the shortest decimal that denotes it.
 *
 * @assumes A-303
 */
export function decimal(value: number | DecimalText): Decimal {
  return new Exact(value);
}

export const add = (left: Decimal, right: Decimal): Decimal => left.plus(right);
export const subtract = (left: Decimal, right: Decimal): Decimal => left.minus(right);
export const multiply = (left: Decimal, right: Decimal): Decimal => left.times(right);
export const negate = (value: Decimal): Decimal => ZERO.minus(value);
export const compare = (left: Decimal, right: Decimal): number => left.cmp(right);
export const isZero = (value: Decimal): boolean => value.eq(ZERO);
export const isPositive = (value: Decimal): boolean => value.gt(ZERO);
export const isNegative = (value: Decimal): boolean => value.lt(ZERO);
export const minimum = (left: Decimal, right: Decimal): Decimal => (left.lt(right) ? left : right);
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/**
 * Rounds half to even.
 *
 * @units   `places` decimal places
 * @assumes A-304
 */
export function round(value: Decimal, places: number): Decimal {
  return value.round(places, Big.roundHalfEven);
}

/**
 * Divides and rounds the exact quotient once, half to even: it is cut two places beyond `places`, and a
 * remainder is kept as one more digit, so that a tie stays a tie only when it is one.
 *
 * @units `places` decimal places; a negative number of them rounds before the point
 */
export function divide(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  Quotient.DP = Math.max(0, places + 2);
  const exact = new Exact(new Quotient(dividend).div(divisor));
  if (exact.times(divisor).eq(dividend)) return round(exact, places);
  const sign = dividend.s === divisor.s ? '' : '-';
  return round(exact.plus(new Exact(`${sign}1e-${Quotient.DP + 1}`)), places);
}

/**
 * Divides to a number of significant digits, as ratios such as margins and inverse rates are shown.
 *
 * @units `digits` significant digits, 12 unless told
 * @assumes A-304
 */
export function ratio(dividend: Decimal, divisor: Decimal, digits = RATIO_DIGITS): Decimal {
  if (isZero(dividend)) return ZERO;
  // The exponent of a quotient is the difference of the exponents, or one less: one cut digit tells.
  const highest = dividend.e - divisor.e;
  Quotient.DP = Math.max(0, 1 - highest);
  const exponent = new Quotient(dividend).div(divisor).e;
  return divide(dividend, divisor, digits - 1 - exponent);
}

/** The number in plain notation: no exponent, no trailing zeros, no negative zero. */
export function format(value: Decimal): DecimalText {
  return isZero(value) ? '0' : value.toFixed();
}

/** How many digits stand after the decimal point. */
export function decimalPlaces(value: Decimal): number {
  return Math.max(0, value.c.length - 1 - value.e);
}

/** How many digits the number has from its first to its last that is not zero. */
export function significantDigits(value: Decimal): number {
  return value.c.length;
}

/** The power of ten of the first digit: 2 for 123, -3 for 0.001. */
export function magnitude(value: Decimal): number {
  return value.e;
}
