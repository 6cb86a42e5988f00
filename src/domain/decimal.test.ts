import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  decimal,
  decimalPlaces,
  divide,
  format,
  isEqual,
  magnitude,
  ratio,
  round,
  significantDigits,
  subtract,
  sum,
} from './decimal.ts';

const SEED = 20260115;
const runs = { seed: SEED, numRuns: 1_000 };

/** A decimal as an integer number of units of a power of ten, so that integer arithmetic can check it. */
interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

const scaled = (most: bigint): fc.Arbitrary<Scaled> =>
  fc.record({ units: fc.bigInt({ min: -most, max: most }), places: fc.nat({ max: 10 }) });

const anyDecimal = scaled(10n ** 15n - 1n);
/** Few digits, so that ties and exact quotients are common. */
const smallDecimal = scaled(200n);
const oneOf = fc.oneof(anyDecimal, smallDecimal);
const divisorOf = oneOf.filter(({ units }) => units !== 0n);

const textOf = ({ units, places }: Scaled): string => `${units}e-${places}`;

/** The integer nearest to a fraction; half rounds to even. */
function nearestEven(numerator: bigint, denominator: bigint): bigint {
  const [above, below] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const rest = ((above % below) + below) % below;
  const floor = (above - rest) / below;
  if (rest * 2n === below) return floor % 2n === 0n ? floor : floor + 1n;
  return rest * 2n > below ? floor + 1n : floor;
}

/** A quotient as an integer number of units of the given place, calculated with integers only. */
function quotientUnits(left: Scaled, right: Scaled, places: number): bigint {
  const shift = places + right.places - left.places;
  const power = 10n ** BigInt(Math.abs(shift));
  return shift < 0
    ? nearestEven(left.units, right.units * power)
    : nearestEven(left.units * power, right.units);
}

/** The power of ten of a quotient's first digit, found by trial. */
function firstDigit(left: Scaled, right: Scaled): number {
  for (let power = 40; power > -40; power -= 1) {
    const units = left.units * 10n ** BigInt(40 - power + right.places);
    const floor = units / (right.units * 10n ** BigInt(40 + left.places));
    if (floor !== 0n) return power;
  }
  throw new Error('The quotient is 0.');
}

describe('round', () => {
  it.each([
    ['0.5', 0, '0'],
    ['1.5', 0, '2'],
    ['2.5', 0, '2'],
    ['-2.5', 0, '-2'],
    ['-0.4', 0, '0'],
    ['0.125', 2, '0.12'],
    ['0.375', 2, '0.38'],
    ['0.12500000001', 2, '0.13'],
    ['9.995', 2, '10'],
  ])('rounds %s to %i places as %s', (value, places, rounded) => {
    expect(format(round(decimal(value), places))).toBe(rounded);
  });
});

describe('divide', () => {
  it.each([
    ['1', '3', 10, '0.3333333333'],
    ['2', '3', 10, '0.6666666667'],
    ['-2', '3', 10, '-0.6666666667'],
    ['1', '8', 2, '0.12'],
    ['3', '8', 2, '0.38'],
    ['-1', '8', 2, '-0.12'],
    ['1', '-8', 2, '-0.12'],
    ['1.0000000000000000000000001', '8', 2, '0.13'],
    ['0.9999999999999999999999999', '8', 2, '0.12'],
    ['-1.0000000000000000000000001', '8', 2, '-0.13'],
    ['0.12', '0.05', 0, '2'],
    ['5', '2', 0, '2'],
    ['7', '2', 0, '4'],
    ['150', '1', -2, '200'],
    ['250', '1', -2, '200'],
    ['0', '7', 4, '0'],
    ['999999999999999', '0.0000000001', 0, '9999999999999990000000000'],
  ])('divides %s by %s to %i places as %s', (dividend, divisor, places, quotient) => {
    expect(format(divide(decimal(dividend), decimal(divisor), places))).toBe(quotient);
  });

  it('agrees with integer arithmetic that rounds ties to even', () => {
    fc.assert(
      fc.property(oneOf, divisorOf, fc.nat({ max: 12 }), (left, right, places) => {
        const quotient = divide(decimal(textOf(left)), decimal(textOf(right)), places);
        const units = quotientUnits(left, right, places);

        expect(format(quotient)).toBe(format(decimal(`${units}e-${places}`)));
      }),
      runs,
    );
  });

  it('throws on division by zero', () => {
    expect(() => divide(decimal(1), decimal(0), 2)).toThrow();
  });
});

describe('ratio', () => {
  it.each([
    ['1', '3', '0.333333333333'],
    ['2', '3', '0.666666666667'],
    ['1', '0.05', '20'],
    ['1', '7', '0.142857142857'],
    ['1', '0.0007', '1428.57142857'],
    ['1', '3000000', '0.000000333333333333'],
    ['99999999999999', '1', '100000000000000'],
    ['123456789012345', '1', '123456789012000'],
    ['0', '3', '0'],
    ['165.78', '460.50', '0.36'],
    ['68.70', '245.35', '0.28000815162'],
    ['-128.29', '384.85', '-0.3333506561'],
  ])('gives %s over %s with 12 significant digits as %s', (dividend, divisor, expected) => {
    expect(format(ratio(decimal(dividend), decimal(divisor)))).toBe(expected);
  });

  it('returns the nearest number with that many significant digits, ties to even', () => {
    fc.assert(
      fc.property(
        oneOf.filter(({ units }) => units !== 0n),
        divisorOf,
        fc.integer({ min: 1, max: 12 }),
        (left, right, digits) => {
          const result = ratio(decimal(textOf(left)), decimal(textOf(right)), digits);
          const places = digits - 1 - firstDigit(left, right);
          const units = quotientUnits(left, right, places);

          expect(format(result)).toBe(format(decimal(`${units}e${-places}`)));
          expect(significantDigits(result)).toBeLessThanOrEqual(digits);
        },
      ),
      runs,
    );
  });
});

describe('format', () => {
  it.each([
    [1e21, '1000000000000000000000'],
    [1e-10, '0.0000000001'],
    [0.1, '0.1'],
    [-0, '0'],
    ['1.500', '1.5'],
    ['100', '100'],
    ['-0.0', '0'],
    ['1e-7', '0.0000001'],
  ])('formats %s as %s', (value, text) => {
    expect(format(decimal(value))).toBe(text);
  });

  it('returns plain notation that parses to the same number', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        const text = format(decimal(textOf(value)));

        expect(text).toMatch(/^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/);
        expect(isEqual(decimal(text), decimal(textOf(value)))).toBe(true);
      }),
      runs,
    );
  });
});

describe('add, subtract and sum', () => {
  it('add tenths exactly', () => {
    expect(format(add(decimal(0.1), decimal(0.2)))).toBe('0.3');
    expect(format(sum(Array.from({ length: 10 }, () => decimal(0.1))))).toBe('1');
    expect(format(sum([]))).toBe('0');
  });

  it('lose nothing when a number is added and subtracted again', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (left, right) => {
        const [first, second] = [decimal(textOf(left)), decimal(textOf(right))];

        expect(isEqual(subtract(add(first, second), second), first)).toBe(true);
      }),
      runs,
    );
  });
});

describe('decimalPlaces, significantDigits and magnitude', () => {
  it.each([
    ['0', 0, 1, 0],
    ['100', 0, 1, 2],
    ['12.50', 1, 3, 1],
    ['0.001', 3, 1, -3],
    ['123456.7890123', 7, 13, 5],
  ])('of %s are %i, %i and %i', (text, places, digits, power) => {
    const value = decimal(text);

    expect([decimalPlaces(value), significantDigits(value), magnitude(value)]).toEqual([
      places,
      digits,
      power,
    ]);
  });
});

describe('decimal', () => {
  it.each(['', '.5', '5.', '0x10', '1_000', ' 1', '1e1000', 'NaN', Number.NaN])(
    'throws on %j, which is not a decimal number',
    (text) => {
      expect(() => decimal(text)).toThrow('Expected a decimal number');
    },
  );
});
