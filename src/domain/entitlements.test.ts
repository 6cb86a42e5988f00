import { describe, expect, it } from 'vitest';
import { broken, testedAsset } from '../testing/catalog.ts';
import { decimal, format } from './decimal.ts';
import {
  creditEnd,
  type EntitlementTerms,
  isCreditDue,
  nextRefresh,
  validateEntitlements,
} from './entitlements.ts';
import { countGrants, deferOver } from './fee-deferral.ts';
import { type Instant, type Interval, instant } from './instant.ts';

const ANCHOR = instant('2026-01-31T10:00:00Z');
const month = { duration: 'month', duration_count: 1 } as const;
const refresh = { strategy: 'expire_and_replace' } as const;
const once: EntitlementTerms = { lifecycle: month };
const monthly: EntitlementTerms = { lifecycle: { ...month, refresh } };
const rolling: EntitlementTerms = { lifecycle: { ...month, refresh: { strategy: 'rollover' } } };

describe('creditEnd', () => {
  it('is one lifecycle after the grant, without a refresh', () => {
    expect(creditEnd(once, ANCHOR, ANCHOR)).toBe('2026-02-28T10:00:00.000Z');
    expect(creditEnd(once, ANCHOR, instant('2026-02-10T00:00:00Z'))).toBe(
      '2026-03-10T00:00:00.000Z',
    );
  });

  it('is the next refresh, counted from the anchor, with a refresh', () => {
    expect(creditEnd(monthly, ANCHOR, ANCHOR)).toBe('2026-02-28T10:00:00.000Z');
    expect(creditEnd(monthly, ANCHOR, instant('2026-02-28T10:00:00Z'))).toBe(
      '2026-03-31T10:00:00.000Z',
    );
  });

  it('counts lifecycles of three months from the anchor', () => {
    const quarterly = { lifecycle: { ...month, duration_count: 3, refresh } };

    expect(creditEnd(quarterly, ANCHOR, instant('2026-02-10T00:00:00Z'))).toBe(
      '2026-04-30T10:00:00.000Z',
    );
  });

  it('is null without a lifecycle, or beyond the last instant of the calendar', () => {
    expect(creditEnd({}, ANCHOR, ANCHOR)).toBeNull();
    expect(
      creditEnd({ lifecycle: { duration: 'year', duration_count: 2_147_483_647 } }, ANCHOR, ANCHOR),
    ).toBeNull();
  });
});

describe('isCreditDue', () => {
  const at = (moment: string) => ({ anchor: ANCHOR, now: instant(moment) });
  const until = (moment: string | null) => ({
    expires_at: moment === null ? null : instant(moment),
  });
  const end = '2026-02-28T10:00:00Z';
  const later = '2026-03-10T00:00:00Z';
  const boundary = '2026-03-31T10:00:00Z';

  it.each([
    ['never given, at the start', once, undefined, 'start', later, true],
    ['never given, where versions changed', monthly, undefined, 'addition', later, true],
    ['never given, at the refresh of another', monthly, undefined, 'refresh', boundary, false],
    ['given once, at the start', once, until(end), 'start', later, false],
    ['given once without an end', {}, until(null), 'start', later, false],
    ['running', monthly, until(end), 'refresh', '2026-02-28T09:59:59.999Z', false],
    ['at its end', monthly, until(end), 'refresh', end, true],
    ['at its end, where versions changed', monthly, until(end), 'addition', end, false],
    ['ended before, at the refresh of another', monthly, until(end), 'refresh', later, false],
    ['ended before, on its own day', monthly, until(end), 'refresh', boundary, true],
    ['ended before, at a new start', monthly, until(end), 'start', later, true],
    ['ended before, resumed', monthly, until(end), 'resumption', later, false],
    ['never given, resumed', monthly, undefined, 'resumption', later, true],
    ['running, at the start of a new period', monthly, until(end), 'start', ANCHOR, false],
    ['rolling over, at the start of a new period', rolling, until(end), 'start', ANCHOR, true],
    ['rolling over, resumed at its start', rolling, until(end), 'resumption', ANCHOR, false],
    ['rolling over, resumed after its end', rolling, until(end), 'resumption', later, false],
  ] as const)(
    'returns whether credit is due when %s',
    (_, terms, latest, occasion, moment, expected) => {
      expect(isCreditDue(terms, latest, occasion, at(moment))).toBe(expected);
    },
  );

  it.each([
    ['missed its refresh', end, true],
    ['waits for its refresh', boundary, false],
  ])(
    'returns whether credit that ended before is due when a resumed subscription %s',
    (_, refresh, expected) => {
      const time = { ...at(later), refresh: instant(refresh) };
      expect(isCreditDue(monthly, until(end), 'resumption', time)).toBe(expected);
    },
  );

  it.each([
    ['running credit is due at its end', monthly, until(end), ANCHOR, '2026-02-28T10:00:00.000Z'],
    ['at its end it is due now', monthly, until(end), end, '2026-02-28T10:00:00.000Z'],
    [
      'ended credit waits for its refresh day',
      monthly,
      until(end),
      later,
      '2026-03-31T10:00:00.000Z',
    ],
    [
      'credit without an end waits for its refresh day',
      monthly,
      until(null),
      later,
      '2026-03-31T10:00:00.000Z',
    ],
    ['credit given once is never due', once, until(end), ANCHOR, undefined],
    ['credit never given is never due', monthly, undefined, ANCHOR, undefined],
  ] as const)('nextRefresh: %s', (_, terms, latest, moment, expected) => {
    expect(nextRefresh(terms, latest, at(moment))).toBe(expected);
  });
});

const refreshed = (duration: Interval, duration_count = 1): EntitlementTerms => ({
  lifecycle: { duration, duration_count, refresh: { strategy: 'expire_and_replace' } },
});
const day = (text: string): Instant => instant(`${text}T12:00:00Z`);

describe('countGrants, the grants before the next collection', () => {
  it.each<[string, EntitlementTerms, string, string, string, number]>([
    ['weeks of a month', refreshed('week'), '2026-03-10', '2026-03-10', '2026-04-10', 5],
    ['weeks from a later one', refreshed('week'), '2026-03-10', '2026-04-14', '2026-05-10', 4],
    ['months of a year', refreshed('month'), '2026-03-10', '2026-03-10', '2027-03-10', 12],
    ['month ends of a year', refreshed('month'), '2026-01-31', '2026-01-31', '2027-01-31', 12],
    ['quarters of a year', refreshed('month', 3), '2026-01-31', '2026-01-31', '2027-01-31', 4],
    ['a year of a month', refreshed('year'), '2026-03-10', '2026-03-10', '2026-04-10', 1],
    // On the 12th, then at the refreshes on the 17th, 24th, 31st and 7th.
    ['one between refreshes', refreshed('week'), '2026-03-10', '2026-03-12', '2026-04-10', 5],
    ['credit given once', {}, '2026-03-10', '2026-03-10', '2027-03-10', 1],
    ['none that is due later', refreshed('week'), '2026-03-10', '2026-04-10', '2026-04-10', 0],
  ])('counts %s', (_, terms, anchor, first, until, count) => {
    expect(countGrants(terms, day(anchor), day(first), day(until))).toBe(count);
  });
});

describe('deferOver, the deferred part of a fee', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['each value where the fee covers them', '25', ['10', '5'], ['10', '5']],
    ['all reduced in proportion where it does not', '20', ['20', '30'], ['8', '12']],
    [
      'the last with the remainder',
      '10',
      ['5', '5', '5'],
      ['3.3333333333', '3.3333333334', '3.3333333333'],
    ],
    ['nothing over credit without a value', '20', ['0', '0'], ['0', '0']],
    ['nothing of a fee in a currency without a rate', '0', ['20'], ['0']],
  ])('is %s', (_, fee, values, shares) => {
    expect(deferOver(decimal(fee), values.map(decimal)).map(format)).toEqual(shares);
  });
});

describe('validateEntitlements', () => {
  it('accepts amounts within the precision of their asset', () => {
    const entitlements = [
      { asset: 'CREDIT', amount: 0.5 },
      { asset: 'USD', amount: 0.0000000001 },
    ];

    expect(validateEntitlements(entitlements, testedAsset)).toEqual([]);
  });

  it('rejects unknown assets and amounts beyond the precision of a custom asset', () => {
    const entitlements = [
      { asset: 'GOLD', amount: 1 },
      { asset: 'CREDIT', amount: 0.25 },
    ];

    expect(validateEntitlements(entitlements, testedAsset)).toEqual(
      broken(
        'asset.unknown at entitlements[0].asset',
        'amount.too_precise at entitlements[1].amount',
      ),
    );
  });
});
