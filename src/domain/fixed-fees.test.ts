import { describe, expect, it } from 'vitest';
import { format } from './decimal.ts';
import { type FixedPrice, fixedFee, fixedInterval, fixedTermsRules } from './fixed-fees.ts';
import type { Interval } from './instant.ts';

function fixed(interval: Interval, prices: Readonly<Record<string, string>>): FixedPrice {
  return {
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval } },
    pricing: Object.entries(prices).map(([asset, unit_price]) => ({
      asset,
      values: [{ unit_price }],
    })),
  };
}

const usage: FixedPrice = {
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  pricing: [{ asset: 'CREDIT', values: [{ unit_price: '7' }] }],
};

function feeOf(prices: readonly FixedPrice[]) {
  const fee = fixedFee(prices);
  return fee && `${format(fee.amount)} ${fee.currency}`;
}

describe('fixedFee', () => {
  it('adds fixed prices exactly and ignores usage-based prices', () => {
    expect(feeOf([usage, fixed('month', { USD: '0.1' }), fixed('month', { USD: '0.2' })])).toBe(
      '0.3 USD',
    );
  });

  it('uses the first currency of the first price that every other price has', () => {
    const prices = [
      fixed('month', { CHF: '9', USD: '12', EUR: '10' }),
      fixed('month', { EUR: '1', USD: '2' }),
    ];

    expect(feeOf(prices)).toBe('14 USD');
  });

  it('is undefined for a fixed price of 0, and defined for any above 0', () => {
    expect(feeOf([fixed('month', { USD: '0' })])).toBeUndefined();
    expect(feeOf([fixed('month', { USD: '0.0000000001' })])).toBe('0.0000000001 USD');
  });

  it('is undefined without a fixed price, or without a shared currency', () => {
    expect(feeOf([usage])).toBeUndefined();
    expect(feeOf([fixed('month', { USD: '1' }), fixed('month', { EUR: '1' })])).toBeUndefined();
  });
});

describe('fixedInterval', () => {
  it('returns the interval of the fixed prices, or undefined if there are none', () => {
    expect(fixedInterval([usage, fixed('week', { USD: '1' })])).toBe('week');
    expect(fixedInterval([usage])).toBeUndefined();
  });
});

describe('fixedTermsRules', () => {
  it('returns the rules broken by mixed intervals and by the lack of a shared currency', () => {
    expect(fixedTermsRules([fixed('month', { USD: '1' }), fixed('year', { EUR: '1' })])).toEqual([
      'price.interval_mixed',
      'price.fixed_no_shared_currency',
    ]);
  });

  it('returns nothing for prices that can be paid together', () => {
    expect(fixedTermsRules([])).toEqual([]);
    expect(fixedTermsRules([usage])).toEqual([]);
    expect(
      fixedTermsRules([fixed('month', { EUR: '1', USD: '1' }), fixed('month', { USD: '2' })]),
    ).toEqual([]);
  });
});
