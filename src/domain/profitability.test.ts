import { describe, expect, it } from 'vitest';
import { decimal, format } from './decimal.ts';
import type { Instant } from './instant.ts';
import { profitability, valuationPeriod } from './profitability.ts';

describe('profitability', () => {
  it.each([
    { revenue: '460.5', costs: '294.72', net: '165.78', margin: '0.36' },
    { revenue: '245.35', costs: '176.65', net: '68.7', margin: '0.28000815162' },
    { revenue: '384.85', costs: '513.14', net: '-128.29', margin: '-0.3333506561' },
    { revenue: '0', costs: '1.5', net: '-1.5', margin: '0' },
    { revenue: '3', costs: '0', net: '3', margin: '1' },
    { revenue: '3', costs: '3', net: '0', margin: '0' },
    // A margin keeps 12 significant digits, wherever its first digit is.
    {
      revenue: '3',
      costs: '2.9999999999',
      net: '0.0000000001',
      margin: '0.0000000000333333333333',
    },
    { revenue: '0.0000000003', costs: '1', net: '-0.9999999997', margin: '-3333333332.33' },
  ])('of revenue $revenue and costs $costs is net $net and margin $margin', (row) => {
    const figures = profitability(decimal(row.revenue), decimal(row.costs));
    expect(format(figures.net_revenue)).toBe(row.net);
    expect(format(figures.margin)).toBe(row.margin);
  });
});

describe('valuationPeriod', () => {
  const at = (day: string) => `2026-01-${day}T00:00:00.000Z` as Instant;
  const schedule = [
    { valid_from: at('20'), rate: '4' },
    { valid_from: at('10'), valid_to: at('15'), rate: '3' },
    { valid_from: at('05'), valid_to: at('10'), rate: '2' },
    { valid_from: at('05'), valid_to: at('05'), rate: '1' },
  ];

  it.each([
    { day: '01', rate: '2', why: 'the first ever in force' },
    { day: '05', rate: '2', why: 'the one that starts' },
    { day: '10', rate: '3', why: 'the next' },
    { day: '16', rate: undefined, why: 'none in a gap' },
    { day: '20', rate: '4', why: 'the last' },
  ])('has on January $day the rate $rate: $why', ({ day, rate }) => {
    expect(valuationPeriod(schedule, at(day))?.rate).toBe(rate);
  });

  it('is undefined without a schedule', () => {
    expect(valuationPeriod([], at('01'))).toBeUndefined();
  });
});
