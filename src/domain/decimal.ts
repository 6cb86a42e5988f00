/** A decimal in plain notation, the form in which records keep it. */
export type DecimalText = string;

/**
 * An exact decimal number. Money is always one of these, never a bare number. It is a whole number of units
 * of its last decimal place, so that arithmetic is that of whole numbers.
 */
export class Decimal {
  #text: DecimalText | undefined;

  constructor(
    readonly units: bigint,
    readonly places: number,
  ) {}

  /** In plain notation: no exponent, no trailing zeros, no negative zero. */
  toString(): DecimalText {
    this.#text ??= plainText(this.units, this.places);
    return this.#text;
  }
}

/** Decimal places that an amount in a currency is kept to. */
export const CURRENCY_PLACES = 10;

/** Significant digits of rates' inverses, margins and other ratios. */
const RATIO_DIGITS = 12;

export const ZERO = new Decimal(0n, 0);
export const ONE = new Decimal(1n, 0);

/** The form in which records keep numbers, and most requests send them. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const NOTATION = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a number or its text as an exact decimal. A JSON number is the shortest decimal that denotes it.
 *
 * @throws  Error where the text denotes no number
 * @assumes A-303
 */
export function decimal(value: number | DecimalText): Decimal {
  if (Number.isSafeInteger(value)) return new Decimal(BigInt(value), 0);
  const text = String(value);
  if (PLAIN.test(text)) {
    const point = text.indexOf('.');
    if (point < 0) return new Decimal(BigInt(text), 0);
    const units = BigInt(text.slice(0, point) + text.slice(point + 1));
    return new Decimal(units, text.length - point - 1);
  }
  const match = NOTATION.exec(text);
  if (!match) throw new Error(`Expected a decimal number, got ${JSON.stringify(value)}.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(sign + whole + fraction);
  const places = fraction.length - Number(exponent);
  return places < 0 ? new Decimal(units * power(-places), 0) : new Decimal(units, places);
}

const POWERS = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));
const power = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** The units of a number in units of a decimal place at least as fine as its own. */
const unitsAt = ({ units, places }: Decimal, finer: number): bigint =>
  places === finer ? units : units * power(finer - places);

export function add(left: Decimal, right: Decimal): Decimal {
  const places = Math.max(left.places, right.places);
  return new Decimal(unitsAt(left, places) + unitsAt(right, places), places);
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  const places = Math.max(left.places, right.places);
  return new Decimal(unitsAt(left, places) - unitsAt(right, places), places);
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return new Decimal(left.units * right.units, left.places + right.places);
}

/** Less than 0 where the left is less, more than 0 where it is more, 0 where both are the same number. */
export function compare(left: Decimal, right: Decimal): number {
  const places = Math.max(left.places, right.places);
  const [first, second] = [unitsAt(left, places), unitsAt(right, places)];
  return first < second ? -1 : first > second ? 1 : 0;
}

export const negate = ({ units, places }: Decimal): Decimal => new Decimal(-units, places);
export const absolute = (value: Decimal): Decimal => (isNegative(value) ? negate(value) : value);
export const isEqual = (left: Decimal, right: Decimal): boolean => compare(left, right) === 0;
export const isZero = ({ units }: Decimal): boolean => units === 0n;
export const isPositive = ({ units }: Decimal): boolean => units > 0n;
export const isNegative = ({ units }: Decimal): boolean => units < 0n;
export const minimum = (left: Decimal, right: Decimal): Decimal =>
  compare(left, right) < 0 ? left : right;
export const maximum = (left: Decimal, right: Decimal): Decimal =>
  compare(left, right) > 0 ? left : right;

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

/** The same of numbers that are kept as text. */
export const sumText = (values: readonly DecimalText[]): DecimalText =>
  format(sum(values.map(decimal)));

/**
 * How often one number goes into another as a whole, and what is left, which has the sign of the dividend.
 *
 * @throws RangeError where the divisor is 0
 */
export function divideWhole(
  dividend: Decimal,
  divisor: Decimal,
): { readonly quotient: Decimal; readonly rest: Decimal } {
  const places = Math.max(dividend.places, divisor.places);
  const [over, under] = [unitsAt(dividend, places), unitsAt(divisor, places)];
  return { quotient: new Decimal(over / under, 0), rest: new Decimal(over % under, places) };
}

/**
 * Rounds half to even.
 *
 * @units   `places` decimal places
 * @assumes A-304
 */
export function round(value: Decimal, places: number): Decimal {
  return value.places <= places ? value : divide(value, ONE, places);
}

/**
 * Divides and rounds the exact quotient once, half to even.
 *
 * @units  `places` decimal places; a negative number of them rounds before the point
 * @throws RangeError where the divisor is 0
 */
export function divide(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  const shift = places + divisor.places - dividend.places;
  const units =
    shift < 0
      ? nearestEven(dividend.units, divisor.units * power(-shift))
      : nearestEven(dividend.units * power(shift), divisor.units);
  return places < 0 ? new Decimal(units * power(-places), 0) : new Decimal(units, places);
}

/** The whole number nearest to a fraction, of two equally near the even one. */
function nearestEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  if (rest === 0n) return quotient;
  const away = dividend < 0n === divisor < 0n ? 1n : -1n;
  const beyondHalf = sizeOf(rest * 2n) - sizeOf(divisor);
  if (beyondHalf < 0n) return quotient;
  return beyondHalf === 0n && quotient % 2n === 0n ? quotient : quotient + away;
}

const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

/**
 * Divides to a number of significant digits, as ratios such as margins and inverse rates are shown.
 *
 * @units  `digits` significant digits, 12 unless told
 * @throws RangeError where the divisor is 0
 * @assumes A-304
 */
export function ratio(dividend: Decimal, divisor: Decimal, digits = RATIO_DIGITS): Decimal {
  if (isZero(dividend)) return ZERO;
  // The first digit of a quotient stands where the difference of both first digits says, or one place later.
  const highest = magnitude(dividend) - magnitude(divisor);
  const left = multiply(absolute(dividend), powerOf(Math.max(0, -highest)));
  const right = multiply(absolute(divisor), powerOf(Math.max(0, highest)));
  const exponent = compare(left, right) < 0 ? highest - 1 : highest;
  return divide(dividend, divisor, digits - 1 - exponent);
}

const powerOf = (exponent: number): Decimal => new Decimal(power(exponent), 0);

/** The number in plain notation: no exponent, no trailing zeros, no negative zero. */
export const format = (value: Decimal): DecimalText => value.toString();

function plainText(units: bigint, places: number): DecimalText {
  if (places === 0) return units.toString();
  const sign = units < 0n ? '-' : '';
  const digits = sizeOf(units)
    .toString()
    .padStart(places + 1, '0');
  const point = digits.length - places;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const whole = sign + digits.slice(0, point);
  // Joined, as a text added from parts stays a tree of them for as long as its record lives.
  return end === point ? whole : [whole, digits.slice(point, end)].join('.');
}

/** The digits of a number from its first to its last that is not zero, as those of a whole number. */
const digitsOf = ({ units }: Decimal): string => sizeOf(units).toString();

/** How many digits stand after the decimal point. */
export function decimalPlaces(value: Decimal): number {
  const text = format(value);
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** How many digits the number has from its first to its last that is not zero; 1 for 0. */
export function significantDigits(value: Decimal): number {
  return Math.max(1, digitsOf(value).replace(/0+$/, '').length);
}

/** The power of ten of the first digit: 2 for 123, -3 for 0.001, 0 for 0. */
export function magnitude(value: Decimal): number {
  return isZero(value) ? 0 : digitsOf(value).length - 1 - value.places;
}
