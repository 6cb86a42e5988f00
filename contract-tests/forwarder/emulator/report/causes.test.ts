import { describe, expect, it } from 'vitest';
import type { DifferenceKind } from '../compare.ts';
import type { TwinDifference } from '../difference.ts';
import { CauseFinder } from './causes.ts';

interface Seen {
  readonly name: string;
  readonly about?: readonly string[];
  readonly resource?: string;
  readonly isOfWrite?: boolean;
  readonly kind?: DifferenceKind;
  readonly follows?: string;
}

/** Files the differences of each response. Returns each cause as its name, count, followers and `also` names. */
function causesOf(...answers: readonly (readonly Seen[])[]) {
  const finder = new CauseFinder();
  for (const answer of answers)
    finder.file(
      answer.map(({ name, follows, kind = 'value', ...origin }) => ({
        ...{ name, shown: { kind, follows } as TwinDifference },
        origin: { about: [], resource: 'Customers', isOfWrite: false, ...origin },
      })),
    );
  return finder
    .read()
    .map(({ cause, count, followers, also }) => [
      cause,
      count,
      followers,
      also.map(({ name }) => name).join(),
    ]);
}

describe('CauseFinder', () => {
  it('returns the difference without which the others never occur', () => {
    const answer = [{ name: 'amount' }, { name: 'revenue' }];

    expect(causesOf(answer, answer, [{ name: 'amount' }])).toEqual([['amount', 3, 2, 'revenue']]);
    expect(causesOf(answer, [{ name: 'revenue' }])).toEqual([['revenue', 2, 1, 'amount']]);
  });

  it('returns both differences when each has occurred without the other', () => {
    expect(causesOf([{ name: 'a' }, { name: 'b' }], [{ name: 'a' }], [{ name: 'b' }])).toEqual([
      ['a', 2, 0, ''],
      ['b', 2, 0, ''],
    ]);
  });

  it('returns an earlier difference of the object, until the later one affects another', () => {
    const [first, later] = [
      { name: 'first', about: ['cust_1'] },
      { name: 'later', about: ['cust_1'] },
    ];

    expect(causesOf([first], [later])).toEqual([['first', 1, 1, 'later']]);
    expect(causesOf([first], [later], [{ ...later, about: ['cust_2'] }])).toEqual([
      ['first', 1, 0, ''],
      ['later', 2, 0, ''],
    ]);
  });

  it.each([
    ['a write and a read of another resource', true, { resource: 'Wallets' }, 1],
    ['two reads of different resources', false, { resource: 'Wallets' }, 2],
    ['two writes of different resources', true, { resource: 'Wallets', isOfWrite: true }, 2],
    ['a read and a rejection', false, { resource: 'Wallets', kind: 'status' as const }, 1],
  ])(
    'returns one or two causes for differences of one object: %s',
    (_, isOfWrite, later, causes) => {
      const about = ['cust_1'];
      const found = causesOf([{ name: 'a', about, isOfWrite }], [{ name: 'b', about, ...later }]);

      expect(found).toHaveLength(causes);
    },
  );

  it('attributes to a lost request only the differences that follow from it', () => {
    const found = causesOf([{ name: 'a', follows: 'a lost request' }, { name: 'b' }]);

    expect(found).toEqual([
      ['a lost request', 0, 1, ''],
      ['b', 1, 0, ''],
    ]);
  });
});
