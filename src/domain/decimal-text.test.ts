import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  type Decimal,
  decimal,
  decimalPlaces,
  divide,
  divideWhole,
  format,
  isZero,
  magnitude,
  multiply,
  negate,
  round,
  significantDigits,
  subtract,
} from './decimal.ts';

describe('decimal', () => {
  it.each([
    ['12', 12n, 0],
    ['-0.50', -50n, 2],
    ['007.1', 71n, 1],
    ['-0', 0n, 0],
    ['1.5e3', 1500n, 0],
    ['1.25e-1', 125n, 3],
  ])('parses %s', (text, units, places) => {
    expect(decimal(text)).toMatchObject({ units, places });
  });

  it.each(['', ' 1', '1.', '.5', '0x10', '1_000', '+1', 'NaN'])('throws on %j', (text) => {
    expect(() => decimal(text)).toThrow('Expected a decimal number');
  });

  it('parses plain notation to the same value as exponent notation', () => {
    const anyCase = (sign: string, units: bigint, places: number) => {
      const digits = units.toString().padStart(places + 1, '0');
      const point = digits.length - places;
      const plain = sign + digits.slice(0, point) + (places > 0 ? `.${digits.slice(point)}` : '');
      expect(decimal(plain)).toEqual(decimal(`${sign}${units}e-${places}`));
    };
    fc.assert(
      fc.property(fc.constantFrom('', '-'), fc.bigInt({ min: 0n }), fc.nat({ max: 40 }), anyCase),
      { seed: 20260115, numRuns: 1_000 },
    );
  });
});

/** The library that gives the expected results. */
const Exact = Big();
Exact.PE = 1e6;
Exact.NE = -1e6;
Exact.DP = 60;
Exact.RM = Big.roundDown;

const HALF_EVEN = Big.roundHalfEven;
const plain = (value: Big): string => (value.eq(0) ? '0' : value.toFixed());

/** The exact quotient, rounded once. A remainder beyond the computed digits means that it is not a tie. */
function quotient(left: Big, right: Big, places: number): Big {
  const cut = left.div(right);
  const isExact = cut.times(right).eq(left);
  const sign = left.s === right.s ? '' : '-';
  return (isExact ? cut : cut.plus(new Exact(`${sign}1e-${Exact.DP + 1}`))).round(
    places,
    HALF_EVEN,
  );
}

/** An operation in this project's arithmetic and in the library's. */
interface Twin {
  readonly ours: (left: Decimal, right: Decimal, places: number) => unknown;
  readonly theirs: (left: Big, right: Big, places: number) => unknown;
}

const result = (
  ours: Twin['ours'],
  theirs: (...given: Parameters<Twin['theirs']>) => Big,
): Twin => ({
  ours: (...given) => format(ours(...given) as Decimal),
  theirs: (...given) => plain(theirs(...given)),
});

const TWINS: Readonly<Record<string, Twin>> = {
  read: result(
    (left) => left,
    (left) => left,
  ),
  add: result(add, (left, right) => left.plus(right)),
  subtract: result(subtract, (left, right) => left.minus(right)),
  multiply: result(multiply, (left, right) => left.times(right)),
  negate: result(negate, (left) => left.times(-1)),
  round: result(
    (left, _right, places) => round(left, places),
    (left, _right, places) => left.round(places, HALF_EVEN),
  ),
  divide: result(
    (left, right, places) => (isZero(right) ? right : divide(left, right, places)),
    (left, right, places) => (right.eq(0) ? right : quotient(left, right, places)),
  ),
  rest: result(
    (left, right) => (isZero(right) ? right : divideWhole(left, right).rest),
    (left, right) => (right.eq(0) ? right : left.mod(right)),
  ),
  whole: result(
    (left, right) => (isZero(right) ? right : divideWhole(left, right).quotient),
    (left, right) => (right.eq(0) ? right : left.div(right).round(0, Big.roundDown)),
  ),
  compare: { ours: compare, theirs: (left, right) => left.cmp(right) },
  digits: {
    ours: (left) => [decimalPlaces(left), significantDigits(left), magnitude(left)],
    theirs: ({ c, e }) => [Math.max(0, c.length - 1 - e), c.length, e],
  },
};

/** Whole numbers of up to 25 digits; short ones and those near a tie are more frequent. */
const units = fc.oneof(
  fc.bigInt({ min: -200n, max: 200n }),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  fc.integer({ min: -10_000, max: 10_000 }).map((half) => BigInt(half) * 1_000_000n + 500_000n),
);
const anyText = fc
  .tuple(units, fc.integer({ min: -4, max: 16 }))
  .map(([whole, places]) => `${whole}e${-places}`);

it('our decimals give the same results as big.js in 20,000 random operations, with ties', () => {
  const operation = fc.constantFrom(...Object.keys(TWINS));
  const places = fc.integer({ min: -3, max: 14 });
  fc.assert(
    fc.property(operation, anyText, anyText, places, (name, left, right, digits) => {
      const { ours, theirs } = TWINS[name] as Twin;

      expect(ours(decimal(left), decimal(right), digits)).toEqual(
        theirs(new Exact(left), new Exact(right), digits),
      );
    }),
    { seed: 20_260_115, numRuns: 20_000 },
  );
});
