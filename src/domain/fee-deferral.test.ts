import { describe, expect, it } from 'vitest';
import { decimal, format } from './decimal.ts';
import type { EntitlementTerms } from './entitlements.ts';
import { countGrants, deferOver } from './fee-deferral.ts';
import { type Instant, type Interval, instant } from './instant.ts';

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
