import { describe, expect, it } from 'vitest';
import type { Instant } from './instant.ts';
import { type Held, phaseAt, type SubscriptionPhase, startPhase } from './subscriptions.ts';

const day = (number: number) =>
  `2026-03-${String(number).padStart(2, '0')}T12:00:00.000Z` as Instant;
const version = (number: number): Held => ({
  products: [{ id: 'prp_1', code: 'plan', version: number }],
});
const pastDue = (number: number): Held => ({ ...version(number), past_due: true });

/** The days and versions of a history, such as `1-5 v1`. */
const read = (history: readonly SubscriptionPhase[]) =>
  history.map(({ from, to, products: [product], past_due }) => {
    const [begin, end] = [from, to].map((moment) => Number(moment?.slice(8, 10) ?? 99));
    return `${begin}-${end === 99 ? '' : end} v${product?.version}${past_due ? ' past due' : ''}`;
  });

describe('startPhase', () => {
  it.each([
    [
      'ends what held before',
      [
        [1, version(1)],
        [5, version(2)],
      ],
      ['1-5 v1', '5- v2'],
    ],
    [
      'goes on with the same version',
      [
        [1, version(1)],
        [5, version(1)],
      ],
      ['1- v1'],
    ],
    [
      'ends without anything after',
      [
        [1, version(1)],
        [5, undefined],
      ],
      ['1-5 v1'],
    ],
    [
      'ends once',
      [
        [1, version(1)],
        [5, undefined],
        [7, undefined],
      ],
      ['1-5 v1'],
    ],
    [
      'tells past due apart',
      [
        [1, version(1)],
        [5, pastDue(1)],
        [6, version(1)],
      ],
      ['1-5 v1', '5-6 v1 past due', '6- v1'],
    ],
    [
      'forgets what held for no time',
      [
        [1, version(1)],
        [1, version(2)],
      ],
      ['1- v2'],
    ],
    [
      'replaces what was noted for later',
      [
        [1, version(1)],
        [5, version(2)],
        [3, undefined],
      ],
      ['1-3 v1'],
    ],
  ] as const)('%s', (_, changes, expected) => {
    let history: readonly SubscriptionPhase[] = [];
    for (const [at, held] of changes) history = startPhase(history, day(at), held);

    expect(read(history)).toEqual(expected);
  });
});

describe('phaseAt', () => {
  const history = [version(1), version(2), undefined].reduce<readonly SubscriptionPhase[]>(
    (all, held, place) => startPhase(all, day(1 + place * 4), held),
    [],
  );
  const held = (at: string, terms: { started_at?: Instant; now?: Instant } = {}) => {
    const { started_at = day(1), now = day(20) } = terms;
    return phaseAt(history, at as Instant, { now, started_at, ahead: 'PT5M' })?.products[0]
      ?.version;
  };

  it.each([
    ['2026-03-01T12:00:00.000Z', 1],
    ['2026-03-05T11:59:59.999Z', 1],
    ['2026-03-05T12:00:00.000Z', 2],
    ['2026-03-09T11:59:59.999Z', 2],
    ['2026-03-09T12:00:00.000Z', undefined],
    ['2026-03-01T11:55:00.000Z', 1],
    ['2026-03-01T11:54:59.999Z', undefined],
  ])('returns at %s version %s', (at, expected) => {
    expect(held(at)).toBe(expected);
  });

  it('returns undefined shortly before a start that is not the first or is in the future', () => {
    const shortly = '2026-03-01T11:59:00.000Z';
    expect(held(shortly, { started_at: '2026-02-01T00:00:00.000Z' as Instant })).toBeUndefined();
    expect(held(shortly, { now: shortly as Instant })).toBeUndefined();
  });
});
