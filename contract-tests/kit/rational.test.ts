import { describe, expect, it } from 'vitest';
import { amount, lexeme, parseExactly } from './exact-json.ts';
import { Rational } from './rational.ts';

describe('Rational', () => {
  it.each([
    ['0.1 + 0.2', Rational.of('0.1').plus('0.2'), '0.3'],
    ['10.25 - 12', Rational.of('10.25').minus(12), '-1.75'],
    ['250 / 1000 * 4', Rational.of(250).over(1000).times(4), '1'],
    ['1 / 3', Rational.of(1).over(3), '1/3'],
    ['exponents', Rational.of('1.5e-7'), '0.00000015'],
    [
      'long digits',
      Rational.of('123456789012345678901234567890.5').minus('0.5'),
      '123456789012345678901234567890',
    ],
  ])('calculates %s exactly', (_, value, text) => {
    expect(String(value)).toBe(text);
  });

  it('represents equal numbers in one form', () => {
    expect(Rational.of('2.50')).toEqual(Rational.of(5).over(2));
    expect(Rational.of('-0.0')).toEqual(Rational.of(0));
  });

  it('compares by size', () => {
    expect(Rational.of('-2').compare('-1')).toBeLessThan(0);
    expect(Rational.of('0.3').equals(Rational.of('0.1').plus('0.2'))).toBe(true);
  });

  it.each([
    ['2.5 to 0 places', Rational.of('2.5').rounded(0), '2'],
    ['3.5 to 0 places', Rational.of('3.5').rounded(0), '4'],
    ['-2.51 to 0 places', Rational.of('-2.51').rounded(0), '-3'],
    ['2/3 to 4 places', Rational.of(2).over(3).rounded(4), '0.6667'],
    ['7/3 upwards', Rational.of(7).over(3).ceiling, '3'],
    ['-7/3 upwards', Rational.of(-7).over(3).ceiling, '-2'],
  ])('rounds %s', (_, value, text) => {
    expect(String(value)).toBe(text);
  });

  it('throws on text that is not a decimal', () => {
    expect(() => Rational.of('1,5')).toThrow('is not a decimal');
  });
});

describe('parseExactly', () => {
  it('keeps all digits of a number', () => {
    const body = parseExactly('{"a":[{"n":0.30000000000000004,"s":"1.50"},{"n":1.50}]}') as {
      a: { n: number; s?: string }[];
    };

    expect(String(amount(body.a[0], 'n'))).toBe('0.30000000000000004');
    expect(lexeme(body.a[1] as { n: number }, 'n')).toBe('1.50');
    expect(() => amount(body.a[0], 's')).toThrow('Expected a number in s');
  });

  it('leaves numbers inside strings unchanged', () => {
    const body = parseExactly('{"text":"say \\"12\\": -3e4","n":-3e4}') as {
      text: string;
      n: number;
    };

    expect(body.text).toBe('say "12": -3e4');
    expect(String(amount(body, 'n'))).toBe('-30000');
  });
});
