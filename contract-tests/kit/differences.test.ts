import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { differencesOf, errorInWords } from './differences.ts';
import { Rational } from './rational.ts';

function failureOf(compare: () => void): readonly string[] {
  try {
    compare();
  } catch (error) {
    return differencesOf(error as Error);
  }
  throw new Error('The comparison holds');
}

const fees = [{ amount: 1, currency: 'USD' }, { amount: 0 }];
const owed = [{ amount: 1, currency: 'USD' }, { amount: 0.0015425 }];

describe('errorInWords', () => {
  it.each([
    ["Cannot read properties of undefined (reading 'status')", 'status'],
    ["Cannot destructure property 'id' of '(intermediate value)' as it is undefined.", 'id'],
  ])('names the field that a check read in vain: %s', (message, name) => {
    expect(errorInWords(new TypeError(message))).toBe(
      `${name}: the service leaves out the object that it belongs to`,
    );
  });
});

describe('differencesOf', () => {
  it.each<[string, () => void, readonly string[]]>([
    [
      'a field in a list',
      () => expect({ fees }, 'event').toEqual({ fees: owed }),
      ['event.fees[1].amount: the service says 0, expected 0.0015425'],
    ],
    [
      'a name in words',
      () => expect({ fees }, 'of 3085 × 0.5').toEqual({ fees: owed }),
      ['of 3085 × 0.5: fees[1].amount: the service says 0, expected 0.0015425'],
    ],
    [
      'a field that is missing',
      () => expect({ id: 'a' }, 'customer').toMatchObject({ name: 'Ann' }),
      ['customer.name: the service leaves it out, expected "Ann"'],
    ],
    [
      'lists of different length',
      () => expect(['a', 'b'], 'ids').toEqual(['a', 'b', 'c']),
      ['ids: the service says ["a","b"], expected ["a","b","c"]'],
    ],
    [
      'a map',
      () => expect(new Map([['a', 1]]), 'costs').toEqual(new Map([['a', 2]])),
      ['costs.a: the service says 1, expected 2'],
    ],
    [
      'a matcher',
      () => expect({ id: 1 }, 'it').toEqual({ id: expect.any(String) }),
      ['it.id: the service says 1, expected Any<String>'],
    ],
    [
      'exact numbers',
      () => expect([Rational.of('0.1')], 'sum').toEqual([Rational.of('0.10001')]),
      ['sum[0]: the service says 0.1, expected 0.10001'],
    ],
    [
      'one of several values at once, by what the check passed',
      () => expect([2, fees[1]?.amount], '[one.status, String(fee.amount)]').toEqual([2, 0.5]),
      ['String(fee.amount): the service says 0, expected 0.5'],
    ],
    [
      'a matcher that compares no values, with everything that it looked at',
      () => expect(Array(60).fill(1), 'items').toContain(2),
      [`items: expected [ ${Array(60).fill('1').join(', ')} ] to include 2`],
    ],
  ])('names the field and both values: %s', (_, compare, lines) => {
    expect(failureOf(compare)).toEqual(lines);
  });

  it('names what a check passed, in a folder with a space in its name', () => {
    const cases = join(mkdtempSync(join(tmpdir(), 'my shop ')), 'cases');
    mkdirSync(cases, { recursive: true });
    const file = join(cases, 'fees.test.js');
    writeFileSync(file, 'expect(fee.amount).toBe(1);');
    const stack = `Error\n    at ${pathToFileURL(file)}?gathered:1:20`;
    const failure = { name: '', message: 'expected 0 to be 1', stack, actual: 0, expected: 1 };

    expect(differencesOf(failure)).toEqual(['fee.amount: the service says 0, expected 1']);
  });

  it('counts the fields beyond the first eight', () => {
    const of = (value: number) =>
      Object.fromEntries([...'abcdefghij'].map((name) => [name, value]));

    expect(failureOf(() => expect(of(1), 'it').toEqual(of(2))).slice(7)).toEqual([
      'it.h: the service says 1, expected 2',
      'and 2 more fields',
    ]);
  });
});
