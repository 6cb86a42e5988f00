/**
 * An exact rational number. It is independent of the emulator's arithmetic, so that the suite shares none with its
 * subject. Always in lowest terms with a positive denominator, so equal numbers are structurally equal.
 */
export class Rational {
  static readonly ZERO = new Rational(0n, 1n);

  private constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}

  /** Reads a decimal in plain or exponent notation. @throws Error when the text is no decimal */
  static of(value: string | number | bigint | Rational): Rational {
    if (value instanceof Rational) return value;
    const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(String(value));
    if (!match) throw new Error(`${value} is not a decimal`);
    const [, sign, whole = '', places = '', exponent = '0'] = match;
    const digits = BigInt(`${sign}${whole}${places}`);
    const shift = Number(exponent) - places.length;
    if (Math.abs(shift) > 400)
      throw new Error(`${value} has more than 400 digits before or after its point`);
    return shift >= 0
      ? Rational.reduced(digits * 10n ** BigInt(shift), 1n)
      : Rational.reduced(digits, 10n ** BigInt(-shift));
  }

  /** The sum of the numbers; zero for an empty list. */
  static sum(parts: readonly Rational[]): Rational {
    return parts.reduce((sum, part) => sum.plus(part), Rational.ZERO);
  }

  plus(other: Given): Rational {
    const { numerator, denominator } = Rational.of(other);
    return Rational.reduced(
      this.numerator * denominator + numerator * this.denominator,
      this.denominator * denominator,
    );
  }

  minus(other: Given): Rational {
    return this.plus(Rational.of(other).negated);
  }

  times(other: Given): Rational {
    const { numerator, denominator } = Rational.of(other);
    return Rational.reduced(this.numerator * numerator, this.denominator * denominator);
  }

  /** @throws Error if `other` is 0 */
  over(other: Given): Rational {
    const { numerator, denominator } = Rational.of(other);
    if (numerator === 0n) throw new Error('Division by zero');
    return Rational.reduced(this.numerator * denominator, this.denominator * numerator);
  }

  /** Negative, zero or positive, as this is less than, equal to or more than the other. */
  compare(other: Given): number {
    return this.minus(other).sign;
  }

  equals(other: Given): boolean {
    return this.compare(other) === 0;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return Number(this.numerator > 0n) - Number(this.numerator < 0n);
  }

  get negated(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  get absolute(): Rational {
    return this.sign < 0 ? this.negated : this;
  }

  min(other: Rational): Rational {
    return this.compare(other) <= 0 ? this : other;
  }

  max(other: Rational): Rational {
    return this.compare(other) >= 0 ? this : other;
  }

  /** The smallest whole number that is not less than this. */
  get ceiling(): Rational {
    const floor = this.numerator / this.denominator;
    const isAbove = floor * this.denominator < this.numerator;
    return new Rational(isAbove ? floor + 1n : floor, 1n);
  }

  /** Rounded half to even to this number of decimal places. */
  rounded(places: number): Rational {
    const scale = 10n ** BigInt(places);
    const { numerator, denominator } = this.absolute;
    const [floor, rest] = [(numerator * scale) / denominator, (numerator * scale) % denominator];
    const isUp = rest * 2n > denominator || (rest * 2n === denominator && floor % 2n === 1n);
    const size = Rational.reduced(isUp ? floor + 1n : floor, scale);
    return this.sign < 0 ? size.negated : size;
  }

  /** The nearest double, from the first 40 decimal places. */
  toNumber(): number {
    return Number(String(this.rounded(40)));
  }

  /** Plain decimal where one exists, else a fraction. */
  toString(): string {
    let twos = 0;
    let fives = 0;
    let rest = this.denominator;
    for (; rest % 2n === 0n; rest /= 2n) twos += 1;
    for (; rest % 5n === 0n; rest /= 5n) fives += 1;
    if (rest !== 1n) return `${this.numerator}/${this.denominator}`;
    const places = Math.max(twos, fives);
    const scaled = (this.numerator * 10n ** BigInt(places)) / this.denominator;
    const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    const sign = scaled < 0n ? '-' : '';
    return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
  }

  private static reduced(numerator: bigint, denominator: bigint): Rational {
    const sign = denominator < 0n ? -1n : 1n;
    const divisor = greatestCommon(numerator, denominator) * sign;
    return new Rational(numerator / divisor, denominator / divisor);
  }
}

type Given = string | number | bigint | Rational;

function greatestCommon(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
