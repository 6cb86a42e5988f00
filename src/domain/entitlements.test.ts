import { describe, expect, it } from 'vitest';
import { creditEnd, type EntitlementTerms, standingCredit } from './entitlements.ts';
import { instant } from './instant.ts';

const ANCHOR = instant('2026-01-31T10:00:00Z');
const month = { duration: 'month', duration_count: 1 } as const;
const refresh = { strategy: 'expire_and_replace' };
const once: EntitlementTerms = { name: 'Welcome', lifecycle: month };
const monthly: EntitlementTerms = { name: 'Monthly', lifecycle: { ...month, refresh } };

describe('creditEnd', () => {
  it('is a lifecycle after the credit was given', () => {
    expect(creditEnd(once, ANCHOR, ANCHOR)).toBe('2026-02-28T10:00:00.000Z');
    expect(creditEnd(once, ANCHOR, instant('2026-02-10T00:00:00Z'))).toBe(
      '2026-03-10T00:00:00.000Z',
    );
  });

  it('is the next refresh, counted from the anchor', () => {
    expect(creditEnd(monthly, ANCHOR, ANCHOR)).toBe('2026-02-28T10:00:00.000Z');
    expect(creditEnd(monthly, ANCHOR, instant('2026-02-28T10:00:00Z'))).toBe(
      '2026-03-31T10:00:00.000Z',
    );
  });

  it('counts lifecycles of several durations', () => {
    const quarterly = { name: 'Q', lifecycle: { ...month, duration_count: 3, refresh } };

    expect(creditEnd(quarterly, ANCHOR, instant('2026-02-10T00:00:00Z'))).toBe(
      '2026-04-30T10:00:00.000Z',
    );
  });

  it('is null without a lifecycle, and where the calendar ends first', () => {
    expect(creditEnd({ name: 'Forever' }, ANCHOR, ANCHOR)).toBeNull();
    expect(
      creditEnd(
        { name: 'Long', lifecycle: { duration: 'year', duration_count: 2_147_483_647 } },
        ANCHOR,
        ANCHOR,
      ),
    ).toBeNull();
  });
});

describe('standingCredit', () => {
  const given = (version: number, index: number, name: string, expires_at: string | null) => ({
    expires_at: expires_at === null ? null : instant(expires_at),
    entitlement: { version, index, name },
  });
  const february = '2026-02-28T10:00:00Z';
  const march = instant('2026-03-01T00:00:00Z');

  it('gives once what is not refreshed', () => {
    const credit = given(1, 0, 'Welcome', february);

    expect(standingCredit([once, monthly], 0, 1, [credit], march)).toBe(credit);
    expect(standingCredit([once, monthly], 1, 1, [credit], march)).toBeUndefined();
  });

  it('lets refreshed credit stand until it expires', () => {
    const credit = given(1, 0, 'Monthly', february);

    expect(standingCredit([monthly], 0, 1, [credit], ANCHOR)).toBe(credit);
    expect(standingCredit([monthly], 0, 1, [credit], instant(february))).toBeUndefined();
  });

  it('does not know credit that fulfils no entitlement, nor an entitlement that is gone', () => {
    const gift = { expires_at: null };
    const credit = given(1, 0, 'Welcome', null);

    expect(standingCredit([once], 0, 1, [gift], ANCHOR)).toBeUndefined();
    expect(standingCredit([once], 0, 1, [gift, credit], ANCHOR)).toBe(credit);
    expect(standingCredit([once], 1, 1, [credit], ANCHOR)).toBeUndefined();
  });

  it('gives once what has no lifecycle', () => {
    const credit = given(1, 0, 'Forever', null);

    expect(standingCredit([{ name: 'Forever' }], 0, 1, [credit], march)).toBe(credit);
  });

  it('takes refreshed credit without an end for none', () => {
    const credit = given(1, 0, 'Monthly', null);

    expect(standingCredit([monthly], 0, 1, [credit], ANCHOR)).toBeUndefined();
  });

  it('goes by place within a version, and by name across versions that both have it', () => {
    const renamed = [{ ...once, name: 'Start' }, once];
    const credit = given(1, 0, 'Welcome', null);

    expect(standingCredit(renamed, 0, 1, [credit], ANCHOR)).toBe(credit);
    expect(standingCredit(renamed, 1, 1, [credit], ANCHOR)).toBeUndefined();
    expect(standingCredit(renamed, 0, 2, [credit], ANCHOR)).toBeUndefined();
    expect(standingCredit(renamed, 1, 2, [credit], ANCHOR)).toBe(credit);
  });

  it('finds the counterpart in another version by name, else by place', () => {
    const welcome = given(1, 0, 'Welcome', null);
    const former = given(1, 1, 'Monthly 100', february);
    const newer = [{ ...monthly, name: 'Extra' }, { ...monthly, name: 'Monthly 200' }, once];

    expect(standingCredit(newer, 2, 2, [welcome, former], ANCHOR)).toBe(welcome);
    expect(standingCredit(newer, 1, 2, [welcome, former], ANCHOR)).toBe(former);
    expect(standingCredit(newer, 0, 2, [welcome, former], ANCHOR)).toBeUndefined();
  });
});
