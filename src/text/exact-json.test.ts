import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, format } from '../domain/decimal.ts';
import { parseExact, serialise, serialiseForReading, wireNumber } from './exact-json.ts';

const stringify = (body: unknown): string => serialise(body).text;
const hasLongNumbers = (body: unknown): boolean => serialise(body).hasLongNumbers;

describe('serialise', () => {
  it.each([
    '0',
    '1.5',
    '-2',
    '0.1',
    '0.0000000001',
    '1000000000000000000000',
    '12345678901234567890.1234567891',
    '-99999999999999999999.0000000001',
    '9007199254740993',
  ])('writes %s to its last digit', (text) => {
    expect(stringify({ amount: wireNumber(text) })).toBe(`{"amount":${text}}`);
  });

  it('writes exact numbers at any depth', () => {
    const body = { items: [{ at: [wireNumber('0.00000001'), wireNumber('2')] }, null, 'text'] };

    expect(stringify(body)).toBe('{"items":[{"at":[0.00000001,2]},null,"text"]}');
  });

  it('does not change text that looks like a number or like the internal marker', () => {
    const body = {
      a: '12345678901234567890',
      b: '\\u00001',
      c: '"\\u00001"',
      d: '"',
      e: '\u00001',
      f: '\u0000...',
      '\\u00002': 3,
    };

    expect(JSON.parse(stringify({ ...body, n: wireNumber('0.0000001') }))).toEqual({
      ...body,
      n: 1e-7,
    });
  });

  it('does not change any text next to an exact number', () => {
    const text = fc
      .tuple(
        fc.constantFrom('', '\u0000'),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '1', '-'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (name, value) => {
        const body = [{ [name]: value }, wireNumber('0.00000001')];

        expect(JSON.parse(stringify(body))).toEqual([{ [name]: value }, 1e-8]);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('writes every decimal with exactly its digits', () => {
    const amount = fc.record({
      units: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      places: fc.nat({ max: 20 }),
    });
    fc.assert(
      fc.property(amount, ({ units, places }) => {
        const text = format(decimal(`${units}e-${places}`));

        expect(stringify([wireNumber(text)])).toBe(`[${text}]`);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('wireNumber', () => {
  it('returns a plain number if a double has the same digits', () => {
    expect(wireNumber('20.05')).toBe(20.05);
    expect(wireNumber('1000000')).toBe(1_000_000);
    expect(`${wireNumber('0.0000001')}`).toBe('0.0000001');
  });
});

describe('serialiseForReading', () => {
  it('writes indented lines, and every decimal to its last digit', () => {
    const body = { amount: wireNumber('0.0000001'), list: [wireNumber('1.5')] };

    expect(serialiseForReading(body)).toBe(
      '{\n  "amount": 0.0000001,\n  "list": [\n    1.5\n  ]\n}',
    );
    expect(serialiseForReading(undefined)).toBe('');
  });
});

describe('parseExact', () => {
  it.each([
    '{"amount":12345678901234567890.1234567891}',
    '[0.12345678901234567,-0.0000000000000001,5]',
    '{"text":"12345678901234567890.5","quote":"a\\"12345678901234567.8\\"","n":1.5}',
    '{"amount":0.1,"text":"plain"}',
    '["\\\\",12345678901234567.25]',
  ])('parses %s so that it serialises to the same text', (text) => {
    expect(stringify(parseExact(text))).toBe(text);
  });

  it('parses numbers with an exponent as plain numbers', () => {
    expect(parseExact('[1e21,12345678901234500e2]')).toEqual([1e21, 1.23456789012345e18]);
  });
});

describe('hasLongNumbers', () => {
  it('is true if a number needs more digits than a double has', () => {
    expect(hasLongNumbers({ amount: wireNumber('0.5') })).toBe(false);
    expect(hasLongNumbers({ items: [{ amount: wireNumber('0.0000001') }] })).toBe(true);
  });
});
