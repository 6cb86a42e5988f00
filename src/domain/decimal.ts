/** A decimal number in plain notation, as records store it. */
export type DecimalText = string;

/**
 * An exact decimal number. Every amount of money is a `Decimal`, never a JavaScript number. It is stored as a whole
 * number of units of its last decimal place, so arithmetic uses whole numbers.
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

/** The decimal places of an amount in a currency. */
export const CURRENCY_PLACES = 10;

/** The significant digits of inverse rates, margins and other ratios. */
const RATIO_DIGITS = 12;

export const ZERO = new Decimal(0n, 0);
export const ONE = new Decimal(1n, 0);

/** The notation in records and in most requests. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const NOTATION = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a number or its text as an exact decimal. A JSON number is read as its shortest decimal text.
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

/** The units of a number at a decimal place that is as fine as its own or finer. */
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

export const multiply = (left: Decimal, right: Decimal): Decimal =>
  new Decimal(left.units * right.units, left.places + right.places);

/** Returns a negative number if `left` is less, a positive number if it is greater, 0 if both are equal. */
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

export const sumText = (values: readonly DecimalText[]): DecimalText =>
  format(sum(values.map(decimal)));

/** Integer division. The rest has the sign of the dividend. @throws RangeError where the divisor is 0 */
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
export const round = (value: Decimal, places: number): Decimal =>
  value.places <= places ? value : divide(value, ONE, places);

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

/** The integer nearest to a fraction; half rounds to even. */
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
 * Divides and rounds to a number of significant digits, for ratios such as margins and inverse rates.
 *
 * @units  `digits` significant digits, 12 unless told
 * @throws RangeError where the divisor is 0
 * @assumes A-304
 */
export function ratio(dividend: Decimal, divisor: Decimal, digits = RATIO_DIGITS): Decimal {
  if (isZero(dividend)) return ZERO;
  // The power of ten of the first digit is this difference of magnitudes, or one less.
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
  // `join` makes a flat string. A concatenated string keeps its parts in memory as long as its record lives.
  return end === point ? whole : [whole, digits.slice(point, end)].join('.');
}

/** The digits of the units, without sign and decimal point. */
const digitsOf = ({ units }: Decimal): string => sizeOf(units).toString();

/** The number of digits after the decimal point. */
export function decimalPlaces(value: Decimal): number {
  const text = format(value);
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** The number of digits from the first to the last that is not zero; 1 for 0. */
export const significantDigits = (value: Decimal): number =>
  Math.max(1, digitsOf(value).replace(/0+$/, '').length);

/** The power of ten of the first digit: 2 for 123, -3 for 0.001, 0 for 0. */
export const magnitude = (value: Decimal): number =>
  isZero(value) ? 0 : digitsOf(value).length - 1 - value.places;
