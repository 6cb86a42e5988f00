import { describe, expect, it } from 'vitest';
import { type Instant, instant } from './instant.ts';
import {
  adaptRenewal,
  afterRenewal,
  catchUp,
  moveRenewal,
  openRenewal,
  phaseAt,
  type RenewalSchedule,
  renewalAt,
  startPhase,
} from './subscriptions.ts';

const NOW = instant('2026-01-31T10:00:00Z');
const QUARTER = { interval: 'month', interval_count: 3 } as const;
const TWO_YEARS = { interval: 'year', interval_count: 2 } as const;

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

  it('repeats the span until the requested renewal if there are no fixed prices', () => {
    expect(momentsOf(openRenewal(NOW, undefined, instant('2026-02-10T10:00:00Z')))).toEqual([
      '2026-02-10T10:00:00.000Z',
      '2026-02-20T10:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ]);
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

describe('startPhase', () => {
  const day = (number: number) => instant(`2026-03-0${number}T12:00:00Z`);
  const held = (version: number) => ({ products: [{ id: 'prp_1', code: 'plan', version }] });
  const first = startPhase([], day(1), held(1));

  it('forgets what held for no time', () => {
    expect(startPhase(first, day(1), held(2))).toEqual([{ from: day(1), ...held(2) }]);
  });

  it('replaces what was noted for later', () => {
    const planned = startPhase(first, day(5), held(2));

    expect(startPhase(planned, day(3), undefined)).toEqual([
      { from: day(1), to: day(3), ...held(1) },
    ]);
  });
});

describe('phaseAt', () => {
  it('is that of the start shortly before it, unless the clock is still before it', () => {
    const history = startPhase([], NOW, { products: [] });
    const at = instant('2026-01-31T09:59:00Z');
    const phaseWith = (now: Instant) =>
      phaseAt(history, at, { now, started_at: NOW, ahead: 'PT5M' });

    expect([phaseWith(NOW), phaseWith(at)]).toEqual([history[0], undefined]);
  });
});
