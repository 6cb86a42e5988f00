import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf, isEqualValue } from './value-differences.ts';

describe('differencesOf', () => {
  it('returns each changed field with both values, without the value of an absent one', () => {
    const from = { name: 'Acme', prices: [{ rate: '1.0' }, { rate: '2' }], gone: null };
    const to = { prices: [{ rate: '1' }], name: 'Acme', came: { a: 1 } };

    expect([...differencesOf(from, to)]).toEqual([
      { path: 'prices[0].rate', from: '1.0', to: '1' },
      { path: 'prices[1]', from: { rate: '2' } },
      { path: 'gone', from: null },
      { path: 'came', to: { a: 1 } },
    ]);
  });

  it('treats a list and an object with the same keys as different, and undefined as absent', () => {
    expect([...differencesOf({ a: ['x'] }, { a: { 0: 'x' } })]).toHaveLength(1);
    expect([...differencesOf({ a: 1, b: undefined }, { a: 1 })]).toEqual([]);
    expect([...differencesOf({}, { a: null })]).toEqual([{ path: 'a', to: null }]);
    expect([...differencesOf(1, '1')]).toEqual([{ path: '', from: 1, to: '1' }]);
  });
});

describe('isEqualValue', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 0, 1, '', '0', true),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    ),
  })).value;

  it('agrees with differencesOf and isDeepStrictEqual', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const isEqual = isDeepStrictEqual(left, right);
        expect([isEqualValue(left, right), [...differencesOf(left, right)].length === 0]).toEqual([
          isEqual,
          isEqual,
        ]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['{"__proto__": {}}', '{"toString": 1}', '{"constructor": null}'])(
    'returns false for %s and an empty object',
    (text) => {
      const field = JSON.parse(text);
      for (const [from, to] of [
        [field, {}],
        [{}, field],
      ])
        expect([isEqualValue(from, to), [...differencesOf(from, to)].length]).toEqual([false, 1]);
    },
  );
});
