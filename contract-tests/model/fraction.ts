/** Exact fractions, for tests that reckon amounts independently of the code they judge. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const rational = (text: string | number): Fraction => {
  const [mantissa, exponent = '0'] = String(text).toLowerCase().split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0
    ? { top: digits, bottom: 10n ** BigInt(scale) }
    : { top: digits * 10n ** BigInt(-scale), bottom: 1n };
};

/** In lowest terms: over a long history the numbers would grow beyond what a bigint holds. */
export const plus = (left: Fraction, right: Fraction): Fraction => {
  const top = left.top * right.bottom + right.top * left.bottom;
  const bottom = left.bottom * right.bottom;
  const common = divisor(top < 0n ? -top : top, bottom);
  return { top: top / common, bottom: bottom / common };
};

const divisor = (left: bigint, right: bigint): bigint =>
  right === 0n ? left : divisor(right, left % right);

export const minus = (left: Fraction, right: Fraction): Fraction =>
  plus(left, { top: -right.top, bottom: right.bottom });

export const times = (left: Fraction, right: Fraction): Fraction => ({
  top: left.top * right.top,
  bottom: left.bottom * right.bottom,
});

export const over = (left: Fraction, right: Fraction): Fraction =>
  right.top < 0n
    ? { top: -left.top * right.bottom, bottom: left.bottom * -right.top }
    : { top: left.top * right.bottom, bottom: left.bottom * right.top };

export const ZERO_FRACTION: Fraction = { top: 0n, bottom: 1n };

/** Negative, zero or positive as the left is less than, equal to or more than the right. */
export const compareFractions = (left: Fraction, right: Fraction): number =>
  Number(left.top * right.bottom - right.top * left.bottom > 0n) -
  Number(left.top * right.bottom - right.top * left.bottom < 0n);

export const smaller = (left: Fraction, right: Fraction): Fraction =>
  compareFractions(left, right) <= 0 ? left : right;

/** The least whole number that is not below. */
export function ceiling({ top, bottom }: Fraction): Fraction {
  const floor = top / bottom;
  return { top: floor * bottom < top ? floor + 1n : floor, bottom: 1n };
}

/** The double nearest to a decimal of at most 40 places. */
export function toNumber(value: Fraction): number {
  const { top } = rounded(value, 40);
  const digits = String(top < 0n ? -top : top).padStart(41, '0');
  return Number(`${top < 0n ? '-' : ''}${digits.slice(0, -40)}.${digits.slice(-40)}`) || 0;
}

export const isEqualFraction = (left: Fraction, right: Fraction): boolean =>
  left.top * right.bottom === right.top * left.bottom;

/** Rounds half to even at a number of decimal places. */
export function rounded({ top, bottom }: Fraction, places: number): Fraction {
  const scale = 10n ** BigInt(places);
  const negative = top < 0n;
  const scaled = (negative ? -top : top) * scale;
  const [floor, rest] = [scaled / bottom, scaled % bottom];
  const up = rest * 2n > bottom || (rest * 2n === bottom && floor % 2n === 1n);
  const units = up ? floor + 1n : floor;
  return { top: negative ? -units : units, bottom: scale };
}

/** Rounds half to even at a number of significant digits. */
export function significant(value: Fraction, digits: number): Fraction {
  if (value.top === 0n) return value;
  const size = (value.top < 0n ? -value.top : value.top) as bigint;
  let places = digits - String(size / value.bottom).length;
  if (size < value.bottom) {
    let shifted = size;
    for (places = digits - 1; shifted < value.bottom; places += 1) shifted *= 10n;
  }
  if (size >= value.bottom && places < 0) return value;
  return rounded(value, places);
}
