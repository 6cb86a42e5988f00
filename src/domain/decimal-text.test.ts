import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from './decimal.ts';

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
