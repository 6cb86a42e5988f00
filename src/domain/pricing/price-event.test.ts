import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, decimal, divide, format, negate, subtract } from '../decimal.ts';
import { instant } from '../instant.ts';
import type { EventData } from './matching.ts';
import type { PricingValue, UsageCalculation, UsagePrice } from './price.ts';
import { type Payer, priceEvent } from './price-event.ts';

const NOW = instant('2026-03-10T12:00:00Z');

/** A payer without a balance, whose amounts have ten places. */
const PAYER: Payer = {
  available: () => decimal('0'),
  placesOf: () => 10,
  countStart: () => undefined,
  quantityOf: () => decimal('0'),
};

const calculation = (given: Partial<UsageCalculation>): UsageCalculation => ({
  event_type: 'completion',
  usage_type: 'unit',
  billable_dimensions: [],
  ...given,
});

const perUnit = (...values: readonly PricingValue[]): UsagePrice => ({
  usage_calculation: calculation({}),
  pricing: [{ asset: 'USD', values }],
});

const byVolume = (value: PricingValue): UsagePrice => ({
  usage_calculation: calculation({ usage_type: 'volume', volume_field: 'tokens' }),
  pricing: [{ asset: 'USD', values: [value] }],
});

/** The amount in plain notation, or why there is none. */
function amountOf(data: EventData, price: UsagePrice): string {
  const line = priceEvent({ data, occurred_at: NOW }, price, PAYER);
  return typeof line === 'string' ? line : format(line.amount);
}

describe('priceEvent: choice of the value', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['12', 12],
    ['0.5', 0.5],
    ['0.0000001', 1e-7],
    ['0', -0],
    ['gpt-4', 'gpt-4'],
    ['', ''],
  ])('matches the dimension %j with the event value %j', (text, value) => {
    const exact = perUnit({ dimensions: { field: text }, unit_price: '1' });
    expect(amountOf({ field: value }, exact)).toBe('1');
  });

  it.each([
    ['12.0', 12],
    ['True', true],
    ['undefined', undefined],
  ])('does not match the dimension %j with the event value %j', (text, value) => {
    const exact = perUnit({ dimensions: { field: text }, unit_price: '1' });
    expect(amountOf(value === undefined ? {} : { field: value }, exact)).toBe('unmatched_usage');
  });

  it('matches own fields of the event data, not inherited ones', () => {
    const inherited = { dimensions: { constructor: String(Object) }, unit_price: '1' };
    expect(amountOf({}, perUnit(inherited))).toBe('unmatched_usage');
    const data = JSON.parse('{"__proto__": "eu"}') as EventData;
    const dimensions = JSON.parse('{"__proto__": "eu"}') as Record<string, string>;
    expect(amountOf(data, perUnit({ dimensions, unit_price: '1' }))).toBe('1');
  });
});

describe('priceEvent: amount', () => {
  it.each([
    { tokens: 1_000_000, rate: '1.25', size: 1_000_000, amount: '1.25' },
    { tokens: 1234, rate: '1.25', size: 1_000_000, amount: '0.0015425' },
    { tokens: 0, rate: '1.25', size: 1, amount: '0' },
    { tokens: 0.5, rate: '0.4', size: 1, amount: '0.2' },
    // 1 ÷ 3 has endless digits; 2 ÷ 3 rounds up at the tenth place.
    { tokens: 1, rate: '1', size: 3, amount: '0.3333333333' },
    { tokens: 2, rate: '1', size: 3, amount: '0.6666666667' },
    { tokens: 1e-12, rate: '1', size: 1, amount: '0' },
    {
      tokens: 999_999_999_999_999,
      rate: '99999.9999999999',
      size: 1,
      amount: '99999999999999800000.0000000001',
    },
  ])('bills $tokens tokens at $rate per $size: $amount', ({ tokens, rate, size, amount }) => {
    const value = { volume_rate: rate, package_size: size };
    expect(amountOf({ tokens }, byVolume(value))).toBe(amount);
  });

  it('differs from the exact amount by at most half of the last place', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 1, max: 1e6 }),
        (tokens, size) => {
          const price = byVolume({ volume_rate: '7', package_size: size });
          const fine = divide(decimal(7 * tokens), decimal(size), 30);
          const off = subtract(fine, decimal(amountOf({ tokens }, price)));
          const half = decimal('0.00000000005');
          expect(compare(off, half)).toBeLessThanOrEqual(0);
          expect(compare(off, negate(half))).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
