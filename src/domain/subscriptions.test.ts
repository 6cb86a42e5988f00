import { describe, expect, it } from 'vitest';
import type { FixedPrice } from './fixed-fees.ts';
import { instant } from './instant.ts';
import {
  adaptRenewal,
  afterRenewal,
  beginningOf,
  catchUp,
  isRecurring,
  moveRenewal,
  openRenewal,
  type RenewalSchedule,
  renewalAt,
} from './subscriptions.ts';

const NOW = instant('2026-01-31T10:00:00Z');
const QUARTER = { interval: 'month', interval_count: 3 } as const;
const TWO_YEARS = { interval: 'year', interval_count: 2 } as const;
const monthly: FixedPrice = {
  type: 'fixed',
  billing_model: { type: 'recurring', recurring: { interval: 'month' } },
  pricing: [{ asset: 'USD', values: [{ unit_price: '0' }] }],
};

describe('isRecurring', () => {
  it('is true with a fixed price, even a free one, or with renews_at', () => {
    expect(isRecurring([monthly], false)).toBe(true);
    expect(isRecurring([], true)).toBe(true);
    expect(isRecurring([], false)).toBe(false);
  });
});

describe('beginningOf', () => {
  it('returns a start in the future, otherwise now', () => {
    expect(beginningOf(instant('2026-02-01T00:00:00Z'), NOW)).toBe('2026-02-01T00:00:00.000Z');
    expect(beginningOf(instant('2026-01-01T00:00:00Z'), NOW)).toBe(NOW);
    expect(beginningOf(undefined, NOW)).toBe(NOW);
  });
});

describe('openRenewal', () => {
  const momentsOf = (schedule: ReturnType<typeof openRenewal>) => {
    const moments = [];
    for (let next = schedule; next && moments.length < 3; next = afterRenewal(next))
      moments.push(renewalAt(next));
    return moments;
  };

  it('keeps the anchor day after shorter months', () => {
    expect(momentsOf(openRenewal(NOW, 'month', undefined))).toEqual([
      '2026-02-28T10:00:00.000Z',
      '2026-03-31T10:00:00.000Z',
      '2026-04-30T10:00:00.000Z',
    ]);
  });

  it('counts from the requested first renewal', () => {
    expect(momentsOf(openRenewal(NOW, 'month', instant('2026-02-10T00:00:00Z')))).toEqual([
      '2026-02-10T00:00:00.000Z',
      '2026-03-10T00:00:00.000Z',
      '2026-04-10T00:00:00.000Z',
    ]);
  });

  it('skips renewals of the requested schedule that are already in the past', () => {
    expect(momentsOf(openRenewal(NOW, 'month', instant('2026-01-20T00:00:00Z')))[0]).toBe(
      '2026-02-20T00:00:00.000Z',
    );
  });

  it('repeats the span until the requested renewal if there are no fixed prices', () => {
    expect(momentsOf(openRenewal(NOW, undefined, instant('2026-02-10T10:00:00Z')))).toEqual([
      '2026-02-10T10:00:00.000Z',
      '2026-02-20T10:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ]);
  });

  it('returns undefined without fixed prices and without a requested renewal', () => {
    expect(openRenewal(NOW, undefined, undefined)).toBeUndefined();
  });
});

describe('catchUp', () => {
  const schedule = { from: NOW, span: 'month' as const, count: 1 };

  it('skips renewals in the past and keeps the anchor day', () => {
    const caught = catchUp(schedule, instant('2026-06-30T10:00:00Z'));

    expect(renewalAt(caught)).toBe('2026-07-31T10:00:00.000Z');
  });

  it('does not move an upcoming renewal back', () => {
    expect(catchUp({ ...schedule, count: 4 }, NOW).count).toBe(4);
  });
});

describe('moveRenewal', () => {
  const asked = instant('2026-02-14T10:00:00Z');

  it('counts the interval of the fixed prices from the requested instant', () => {
    const moved = moveRenewal({ from: NOW, span: 'month', count: 1 }, NOW, 'month', asked);

    expect(renewalAt(moved)).toBe(asked);
    expect(renewalAt(afterRenewal(moved))).toBe('2026-03-14T10:00:00.000Z');
  });

  it('repeats the span of the period that ends at the requested instant', () => {
    // The second period of ten days began on 10 February. It now ends four days later.
    const current = { from: NOW, span: 864_000_000, count: 2 };
    const moved = moveRenewal(current, NOW, undefined, asked);

    expect(renewalAt(moved)).toBe(asked);
    expect(renewalAt(afterRenewal(moved))).toBe('2026-02-18T10:00:00.000Z');
  });
});

describe('adaptRenewal', () => {
  const current = { from: NOW, span: 'month' as const, count: 1 };

  it.each([
    ['a year', ['year'], ['2026-02-28', '2027-02-28', '2028-02-29']],
    ['two years', [TWO_YEARS], ['2026-02-28', '2028-02-29', '2030-02-28']],
    ['a quarter', [QUARTER], ['2026-02-28', '2026-05-31', '2026-08-31']],
    ['a quarter and back', [QUARTER, 'month'], ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['a year and back', ['year', 'month'], ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['weeks and back', ['week', 'month'], ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['weeks', ['week'], ['2026-02-28', '2026-03-07', '2026-03-14']],
  ] as const)('keeps the anchor day in a change to %s', (_, cycles, days) => {
    const adapted = cycles.reduce<RenewalSchedule>(
      (schedule, cycle) => adaptRenewal(schedule, NOW, cycle, NOW) as RenewalSchedule,
      current,
    );
    const next = afterRenewal(adapted);

    expect([adapted, next, afterRenewal(next)].map(renewalAt)).toEqual(
      days.map((day) => `${day}T10:00:00.000Z`),
    );
  });

  it('keeps the 28th in a change to a year if that is the anchor day', () => {
    const anchor = instant('2026-01-28T10:00:00Z');
    const adapted = adaptRenewal({ ...current, from: anchor }, anchor, 'year', anchor);

    expect(adapted && renewalAt({ ...adapted, count: adapted.count + 2 })).toBe(
      '2028-02-28T10:00:00.000Z',
    );
  });

  it('does not change a schedule of the same interval', () => {
    expect(adaptRenewal(current, NOW, 'month', NOW)).toBe(current);
  });

  it('ends a monthly schedule without fixed prices, but keeps a requested span', () => {
    const span = { from: NOW, span: 864_000_000, count: 1 };

    expect(adaptRenewal(current, NOW, undefined, NOW)).toBeUndefined();
    expect(adaptRenewal(span, NOW, undefined, NOW)).toBe(span);
  });

  it('opens a schedule on the anchor day for a subscription without one', () => {
    const adapted = adaptRenewal(undefined, NOW, 'month', instant('2026-03-05T00:00:00Z'));

    expect(adapted && renewalAt(adapted)).toBe('2026-03-31T10:00:00.000Z');
  });
});
