import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedValues, isEqualValue, pathText } from './changed-values.ts';

describe('changedValues', () => {
  it('returns each changed field with both values, without the value of an absent one', () => {
    const from = { name: 'Acme', prices: [{ rate: '1.0' }, { rate: '2' }], gone: null };
    const to = { prices: [{ rate: '1' }], name: 'Acme', came: { a: 1 } };

    const changes = [...changedValues(from, to)];
    expect(changes).toEqual([
      { at: ['prices', 0, 'rate'], before: '1.0', after: '1' },
      { at: ['prices', 1], before: { rate: '2' } },
      { at: ['gone'], before: null },
      { at: ['came'], after: { a: 1 } },
    ]);
    expect(changes.map(({ at }) => pathText(at))).toEqual([
      'prices[0].rate',
      'prices[1]',
      'gone',
      'came',
    ]);
  });

  it('treats a list and an object with the same keys as different, and undefined as absent', () => {
    expect([...changedValues({ a: ['x'] }, { a: { 0: 'x' } })]).toHaveLength(1);
    expect([...changedValues({ a: 1, b: undefined }, { a: 1 })]).toEqual([]);
    expect([...changedValues({}, { a: null })]).toEqual([{ at: ['a'], after: null }]);
    expect([...changedValues(1, '1')]).toEqual([{ at: [], before: 1, after: '1' }]);
  });
});

it('changedValues leaves out new fields, takes null for absent and a list as a whole where asked', () => {
  const isEqual = (before: unknown, after: unknown) => (before ?? null) === (after ?? null);
  const options = { isPartial: true, wholeLists: true, isEqual };

  expect([...changedValues({ a: null }, { b: 1 }, options)]).toEqual([]);
  expect([...changedValues({ a: [1] }, { a: [1, 2] }, options)]).toEqual([
    { at: ['a'], before: [1], after: [1, 2] },
  ]);
  expect([...changedValues({ a: [{ b: 1 }] }, { a: [{ b: 2, c: 3 }] }, options)]).toEqual([
    { at: ['a', 0, 'b'], before: 1, after: 2 },
  ]);
});

it('changedValues compares objects as one value where asked', () => {
  const isValue = (value: object) => value instanceof Date;
  const isEqual = (before: unknown, after: unknown) => Number(before) === Number(after);
  const [one, other] = [1, 2].map((moment) => ({ at: new Date(moment) }));

  expect([...changedValues(one, { at: 1 }, { isValue, isEqual })]).toEqual([]);
  expect([...changedValues(one, other, { isValue, isEqual })]).toEqual([
    { at: ['at'], before: one?.at, after: other?.at },
  ]);
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

  it('agrees with changedValues and isDeepStrictEqual', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const isEqual = isDeepStrictEqual(left, right);
        expect([isEqualValue(left, right), [...changedValues(left, right)].length === 0]).toEqual([
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
        expect([isEqualValue(from, to), [...changedValues(from, to)].length]).toEqual([false, 1]);
    },
  );
});
