import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, type Decimal, decimal, format, multiply, subtract } from './decimal.ts';
import type { Instant } from './instant.ts';
import {
  insertPeriod,
  inverseOf,
  nextRateChange,
  periodAt,
  quote,
  type RatePeriod,
  type RateSchedule,
  validatePeriod,
} from './rates.ts';
import { RuleViolation } from './rules.ts';

/** A day of January, at midnight. */
const january = (day: number): Instant =>
  `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z` as Instant;

const period = (rate: string, from: number, to?: number): RatePeriod => ({
  valid_from: january(from),
  ...(to !== undefined && { valid_to: january(to) }),
  rate,
});

const build = (...periods: readonly RatePeriod[]): RateSchedule =>
  periods.reduce<RateSchedule>(insertPeriod, []);

describe('nextRateChange', () => {
  const euro = build(period('1', 1), period('2', 5, 9));
  const credit = build(period('0.05', 3, 7), period('0.06', 12));

  it.each([
    { day: 1, of: 'the next start in any schedule', next: 3 },
    { day: 3, of: 'a start before a later end', next: 5 },
    { day: 5, of: 'an end before a later start', next: 7 },
    { day: 7, of: 'the end of what is in force', next: 9 },
    { day: 9, of: 'a start after a gap', next: 12 },
  ])('after day $day is $of', ({ day, next }) => {
    expect(nextRateChange([euro, credit], january(day))).toBe(january(next));
    expect(nextRateChange([credit, euro], january(day))).toBe(january(next));
  });

  it('is undefined after the last start of any schedule, or without a schedule', () => {
    expect(nextRateChange([euro, credit], january(12))).toBeUndefined();
    expect(nextRateChange([], january(1))).toBeUndefined();
  });
});

describe('insertPeriod', () => {
  it('keeps a period that is replaced at its first instant as empty, after its successor', () => {
    const schedule = build(period('1', 5), period('2', 5), period('3', 5));

    expect(schedule).toEqual([period('3', 5), period('2', 5, 5), period('1', 5, 5)]);
    expect(periodAt(schedule, january(5))?.rate).toBe('3');
  });

  it('accepts a period that ends at the start of the next', () => {
    expect(build(period('9', 9), period('1', 1, 9))).toEqual([period('9', 9), period('1', 1, 9)]);
  });

  it.each([
    ['ends at its start', period('2', 3, 3), 'Expected a time after valid_from.'],
    ['ends before its start', period('2', 3, 2), 'Expected a time after valid_from.'],
    [
      'reaches into a later one',
      period('2', 3, 10),
      'The period overlaps a period that is scheduled later.',
    ],
  ])('rejects a period that %s', (_, refused, message) => {
    const schedule = build(period('1', 1), period('9', 9));

    expect(validatePeriod(schedule, refused)).toEqual([{ field: 'valid_to', message }]);
    expect(() => insertPeriod(schedule, refused)).toThrow(RuleViolation);
  });
});

describe('periodAt', () => {
  it('includes the start of a period and excludes its end', () => {
    const schedule = build(period('1', 2), period('2', 5, 8));

    expect(periodAt(schedule, january(1))).toBeUndefined();
    expect(periodAt(schedule, january(2))?.rate).toBe('1');
    expect(periodAt(schedule, '2026-01-04T23:59:59.999Z' as Instant)?.rate).toBe('1');
    expect(periodAt(schedule, january(5))?.rate).toBe('2');
    expect(periodAt(schedule, january(8))).toBeUndefined();
  });
});

describe('a rate schedule after any insertions', () => {
  const LAST_DAY = 24;
  const DAYS = Array.from({ length: LAST_DAY }, (_, place) => place + 1);
  const insertion = fc.record({
    from: fc.integer({ min: 1, max: 16 }),
    length: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  });
  const insertions = fc.array(insertion, { maxLength: 12 });
  const runs = { seed: 20260115, numRuns: 2_000 };

  /** Inserts the periods that the schedule accepts; returns them with the schedule. */
  function insertAll(wanted: readonly { from: number; length: number | undefined }[]) {
    let schedule: RateSchedule = [];
    const taken: { from: number; length: number | undefined; rate: string }[] = [];
    for (const [place, { from, length }] of wanted.entries()) {
      const rate = String(place + 1);
      const added = period(rate, from, length === undefined ? undefined : from + length);
      if (validatePeriod(schedule, added).length > 0) continue;
      schedule = insertPeriod(schedule, added);
      taken.push({ from, length, rate });
    }
    return { schedule, taken };
  }

  it('contains every accepted period, newest first, without overlaps', () => {
    fc.assert(
      fc.property(insertions, (wanted) => {
        const { schedule, taken } = insertAll(wanted);

        expect(schedule).toHaveLength(taken.length);
        for (const [place, { valid_from }] of schedule.slice(1).entries())
          expect(valid_from <= (schedule[place] as RatePeriod).valid_from).toBe(true);
        for (const day of DAYS) {
          const covering = schedule.filter((each) => periodAt([each], january(day)));
          expect(covering.length).toBeLessThanOrEqual(1);
        }
      }),
      runs,
    );
  });

  it('applies the last inserted period that covers a day', () => {
    fc.assert(
      fc.property(insertions, (wanted) => {
        const { schedule, taken } = insertAll(wanted);
        const calendar = new Map<number, string>();
        for (const [place, { from, length, rate }] of taken.entries()) {
          const starts = taken.slice(0, place).map((each) => each.from);
          const next = Math.min(LAST_DAY + 1, ...starts.filter((start) => start > from));
          const closed = calendar.get(from);
          for (const day of DAYS)
            if (day >= from && calendar.get(day) === closed) calendar.delete(day);
          const end = length === undefined ? next : from + length;
          for (let day = from; day < end; day += 1) calendar.set(day, rate);
        }

        for (const day of DAYS)
          expect(periodAt(schedule, january(day))?.rate).toBe(calendar.get(day));
      }),
      runs,
    );
  });
});

describe('quote', () => {
  it.each([
    ['1', '20'],
    ['10', '200'],
    ['50', '1000'],
    ['0.12', '2'],
  ])('converts %s at the rate 0.05 to %s whole units', (amount, bought) => {
    expect(format(quote(decimal(amount), { rate: '0.05' }, 0))).toBe(bought);
  });

  it.each([
    ['0.125', '0.05', 0, '2'], // 2.5, a tie
    ['0.175', '0.05', 0, '4'], // 3.5, a tie
    ['1', '3', 10, '0.3333333333'],
    ['2', '3', 2, '0.67'],
    ['0.01', '999999999999999', 10, '0'],
  ])('converts %s at the rate %s, rounded to %i places, to %s', (amount, rate, places, bought) => {
    expect(format(quote(decimal(amount), { rate }, places))).toBe(bought);
  });

  const positive = fc
    .record({ units: fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), places: fc.nat({ max: 10 }) })
    .map(({ units, places }) => decimal(`${units}e-${places}`));
  const half = decimal('0.00000000005');
  const within = (left: Decimal, right: Decimal, most: Decimal) =>
    compare(subtract(left, right), most) <= 0 && compare(subtract(right, left), most) <= 0;

  it('times the rate equals the paid amount, within half of the last place', () => {
    fc.assert(
      fc.property(positive, positive, (amount, rate) => {
        const bought = quote(amount, { rate: format(rate) }, 10);

        expect(within(multiply(bought, rate), amount, multiply(half, rate))).toBe(true);
      }),
      { seed: 20260115, numRuns: 1_000 },
    );
  });

  it('agrees with the amount times inverseOf, within the 12 digits of the inverse', () => {
    fc.assert(
      fc.property(positive, positive, (amount, rate) => {
        const bought = quote(amount, { rate: format(rate) }, 10);
        const slack = add(multiply(add(bought, half), decimal('5.1e-12')), half);

        expect(within(multiply(amount, inverseOf(rate)), bought, slack)).toBe(true);
      }),
      { seed: 20260115, numRuns: 1_000 },
    );
  });
});
