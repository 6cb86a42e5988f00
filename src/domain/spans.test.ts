import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, fromMillis, instant } from './instant.ts';
import { type Span, spansAfter, spansBeyond } from './spans.ts';

describe('spansAfter', () => {
  it.each([
    ['29 January', '2026-01-29T10:00:00Z', ['02-28', '03-29', '04-29', '05-29']],
    ['30 January', '2026-01-30T10:00:00Z', ['02-28', '03-30', '04-30', '05-30']],
    ['31 January', '2026-01-31T10:00:00Z', ['02-28', '03-31', '04-30', '05-31']],
    ['29 January of a leap year', '2028-01-29T10:00:00Z', ['02-29', '03-29', '04-29', '05-29']],
    ['30 January of a leap year', '2028-01-30T10:00:00Z', ['02-29', '03-30', '04-30', '05-30']],
    ['31 January of a leap year', '2028-01-31T10:00:00Z', ['02-29', '03-31', '04-30', '05-31']],
  ])('counts months from %s and returns to its day in longer months', (_, anchor, days) => {
    const moments = [1, 2, 3, 4].map((count) => spansAfter(instant(anchor), 'month', count));

    expect(moments).toEqual(days.map((day) => `${anchor.slice(0, 4)}-${day}T10:00:00.000Z`));
  });

  it('returns to 29 February in the next leap year', () => {
    const moments = [1, 2, 3, 4].map((count) =>
      spansAfter(instant('2024-02-29T00:00:00Z'), 'year', count),
    );

    expect(moments.map((moment) => moment && dayOf(moment))).toEqual([
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it.each([
    ['day', 60, '2026-04-01T10:00:00.000Z'],
    ['week', 5, '2026-03-07T10:00:00.000Z'],
    ['month', 0, '2026-01-31T10:00:00.000Z'],
    ['month', 13, '2027-02-28T10:00:00.000Z'],
  ] as const)('counts from 31 January by the %s, %i times', (interval, count, expected) => {
    expect(spansAfter(instant('2026-01-31T10:00:00Z'), interval, count)).toBe(expected);
  });

  it('counts a span in milliseconds', () => {
    // Ten days of 86,400,000 ms each, three times.
    expect(spansAfter(instant('2026-01-15T12:00:00Z'), 864_000_000, 3)).toBe(
      '2026-02-14T12:00:00.000Z',
    );
  });

  it.each([
    { span: 'month' as const, count: 1 },
    { span: 'year' as const, count: 2_147_483_647 },
    { span: 86_400_000, count: 40 },
  ])('returns undefined after the year 9999 ($count × $span)', ({ span, count }) => {
    expect(spansAfter(instant('9999-12-15T00:00:00Z'), span, count)).toBeUndefined();
  });
});

describe('spansAfter, at the end of the calendar', () => {
  it('returns the last instant and undefined beyond it', () => {
    expect(spansAfter(instant('9999-12-30T23:59:59.999Z'), 'day', 1)).toBe(
      '9999-12-31T23:59:59.999Z',
    );
    expect(spansAfter(instant('9999-12-31T00:00:00Z'), 'day', 1)).toBeUndefined();
  });
});

describe('spansBeyond', () => {
  const from = instant('2026-01-31T10:00:00Z');

  it.each([
    { at: '2026-01-31T10:00:00Z', count: 1 },
    { at: '2026-02-28T09:59:59.999Z', count: 1 },
    { at: '2026-02-28T10:00:00Z', count: 2 },
    { at: '2036-01-31T10:00:00Z', count: 121 },
    { at: '2026-01-31T09:59:59.999Z', count: 0 },
    { at: '2020-01-01T00:00:00Z', count: 0 },
  ])('returns $count, the fewest months from 31 January that end after $at', ({ at, count }) => {
    expect(spansBeyond(from, 'month', instant(at))).toBe(count);
  });

  it.each<Span>(['day', 'week', 'month', 'year', 1000])(
    'returns 1 at the start itself, for the span %s',
    (span) => {
      expect(spansBeyond(from, span, from)).toBe(1);
    },
  );

  it('returns a multiple of the given step', () => {
    // 31 January and every third month: 30 April, 31 July.
    expect(spansBeyond(from, 'month', instant('2026-05-01T00:00:00Z'), 3)).toBe(6);
  });

  it('counts billions of spans of one second', () => {
    expect(spansBeyond(from, 1000, instant('2126-01-31T10:00:00Z'))).toBe(3_155_673_601);
  });

  it('agrees with a search that starts at 0', () => {
    const millis = fc.integer({ min: 0, max: 20 * 366 * 86_400_000 });
    const span = fc.constantFrom<Span>('day', 'week', 'month', 'year', 5_000_000_000);
    const step = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(millis, millis, span, step, (a, b, each, steps) => {
        const [start, at] = [fromMillis(a), fromMillis(b)];
        let count = 0;
        while ((spansAfter(start, each, count) as string) <= at) count += steps;

        expect(spansBeyond(start, each, at, steps)).toBe(count);
      }),
      { numRuns: 300 },
    );
  });
});
