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
  ratio,
  round,
  significantDigits,
  subtract,
  sum,
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

  const others = ['', '.5', '5.', '+1', '0x10', '1_000', ' 1', '1e1000', 'NaN', Number.NaN];
  it.each(others)('throws on %j', (text) => {
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

describe('divide', () => {
  it('throws on division by zero', () => {
    expect(() => divide(decimal(1), decimal(0), 2)).toThrow();
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
});

describe('sum', () => {
  it('adds tenths exactly', () => {
    expect(format(sum(Array.from({ length: 10 }, () => decimal(0.1))))).toBe('1');
    expect(format(sum([]))).toBe('0');
  });
});

/** The library that gives the expected results. */
const Exact = Object.assign(Big(), { PE: 1e6, NE: -1e6, DP: 60, RM: Big.roundDown });

const HALF_EVEN = Big.roundHalfEven;
const plain = (value: Big): string => (value.eq(0) ? '0' : value.toFixed());

/** The quotient to be rounded. A remainder beyond the computed digits means that it is not a tie. */
function quotient(left: Big, right: Big): Big {
  const cut = left.div(right);
  const isExact = cut.times(right).eq(left);
  const sign = left.s === right.s ? '' : '-';
  return isExact ? cut : cut.plus(new Exact(`${sign}1e-${Exact.DP + 1}`));
}

type Operation<N, R> = (left: N, right: N, places: number) => R;

/** An operation in this project's arithmetic and in the library's. */
interface Twin {
  readonly ours: Operation<Decimal, unknown>;
  readonly theirs: Operation<Big, unknown>;
}

const result = (ours: Operation<Decimal, Decimal>, theirs: Operation<Big, Big>): Twin => ({
  ours: (...given) => format(ours(...given)),
  theirs: (...given) => plain(theirs(...given)),
});

/** The same for an operation that a divisor of 0 is not for. */
const dividing = (ours: Operation<Decimal, Decimal>, theirs: Operation<Big, Big>): Twin =>
  result(
    (left, right, places) => (isZero(right) ? right : ours(left, right, places)),
    (left, right, places) => (right.eq(0) ? right : theirs(left, right, places)),
  );

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
  divide: dividing(divide, (left, right, places) => quotient(left, right).round(places, HALF_EVEN)),
  ratio: dividing(
    (left, right, places) => ratio(left, right, Math.max(1, places)),
    (left, right, places) => quotient(left, right).prec(Math.max(1, places), HALF_EVEN),
  ),
  rest: dividing(
    (left, right) => divideWhole(left, right).rest,
    (left, right) => left.mod(right),
  ),
  whole: dividing(
    (left, right) => divideWhole(left, right).quotient,
    (left, right) => left.div(right).round(0, Big.roundDown),
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
