import { describe, expect, it } from 'vitest';
import { decimal, format } from './decimal.ts';
import { profitability } from './profitability.ts';

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
