import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, decimal, divide, format, negate, subtract } from '../decimal.ts';
import { instant } from '../instant.ts';
import type { EventData } from './matching.ts';
import type { PricingEntry, PricingValue, UsageCalculation, UsagePrice } from './price.ts';
import { type Payer, priceEvent } from './price-event.ts';

const NOW = instant('2026-03-10T12:00:00Z');

/** A payer with a balance of 100 in the named assets and 0 elsewhere. Amounts have this number of places. */
const payer = (places = 10, ...assets: readonly string[]): Payer => ({
  available: (asset) => decimal(assets.includes(asset) ? '100' : '0'),
  placesOf: () => places,
  countStart: () => undefined,
  quantityOf: () => decimal('0'),
});

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
function amountOf(data: EventData, price: UsagePrice, by: Payer = payer()): string {
  const line = priceEvent({ data, occurred_at: NOW }, price, by);
  return typeof line === 'string' ? line : format(line.amount);
}

describe('priceEvent: choice of the value', () => {
  const price = perUnit(
    { unit_price: '9' },
    { dimensions: { region: '*', tier: '*' }, unit_price: '1' },
    { dimensions: { region: 'eu', tier: '*' }, unit_price: '2' },
    { dimensions: { tier: 'gold' }, unit_price: '3' },
    { dimensions: { region: 'eu', tier: 'gold' }, unit_price: '4' },
    { dimensions: { region: 'eu', tier: 'gold' }, unit_price: '5' },
  );

  it.each([
    {
      what: 'most equal dimensions, the first of a tie',
      data: { region: 'eu', tier: 'gold' },
      amount: '4',
    },
    { what: 'one equal, one anything', data: { region: 'eu', tier: 'silver' }, amount: '2' },
    {
      what: 'one equal without the other named',
      data: { region: 'us', tier: 'gold' },
      amount: '3',
    },
    { what: 'anything in fields that are absent', data: {}, amount: '1' },
  ])('prefers $what', ({ data, amount }) => {
    expect(amountOf(data, price)).toBe(amount);
  });

  it('uses a value without dimensions only if no other matches', () => {
    const open = perUnit({ unit_price: '9' }, { dimensions: { model: 'a' }, unit_price: '1' });
    expect(amountOf({ model: 'a' }, open)).toBe('1');
    expect(amountOf({ model: 'b' }, open)).toBe('9');
    expect(amountOf({}, perUnit({ dimensions: {}, unit_price: '9' }))).toBe('9');
  });

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

  it.each([
    { tokens: 1, places: 0, amount: '0' },
    { tokens: 3, places: 0, amount: '2' },
    { tokens: 5, places: 0, amount: '2' },
    { tokens: 0.25, places: 2, amount: '0.12' },
    { tokens: 0.27, places: 2, amount: '0.14' },
  ])(
    'rounds half of $tokens to $places places, ties to even: $amount',
    ({ tokens, places, amount }) => {
      expect(amountOf({ tokens }, byVolume({ volume_rate: '0.5' }), payer(places))).toBe(amount);
    },
  );

  it('rounds the sum of the unit and volume amounts once', () => {
    const both = {
      ...byVolume({ unit_price: '0.4', volume_rate: '0.4' }),
      usage_calculation: calculation({ usage_type: 'unit_and_volume', volume_field: 'tokens' }),
    };
    expect(amountOf({ tokens: 30 }, both)).toBe('12.4');
    // 0.4 and 0.4 would each round to 0.
    expect(amountOf({ tokens: 1 }, both, payer(0))).toBe('1');
  });

  it.each([[{}], [{ tokens: '10' }], [{ tokens: -1 }], [{ tokens: true }]])(
    'has an unusable volume in the data %j',
    (data) => {
      expect(amountOf(data as EventData, byVolume({ volume_rate: '1' }))).toBe('unusable_volume');
    },
  );

  it('ignores the volume for the usage type unit, even with a volume_field', () => {
    const perEvent = {
      ...perUnit({ unit_price: '3', volume_rate: '5' }),
      usage_calculation: calculation({ usage_type: 'unit', volume_field: 'tokens' }),
    };
    expect(amountOf({ tokens: 100 }, perEvent)).toBe('3');
    expect(amountOf({ tokens: 'many' }, perEvent)).toBe('3');
  });

  it('returns no fee, and no unusable volume, if no value matches', () => {
    expect(amountOf({}, byVolume({ dimensions: { model: 'a' }, volume_rate: '1' }))).toBe(
      'unmatched_usage',
    );
  });

  it('bills two halves of a volume the same as the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.constantFrom(1, 10, 1000, 1_000_000),
        (half, size) => {
          const price = byVolume({ volume_rate: '0.25', package_size: size });
          const one = decimal(amountOf({ tokens: half }, price));
          expect(format(add(one, one))).toBe(amountOf({ tokens: 2 * half }, price));
        },
      ),
    );
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

describe('priceEvent: choice of the asset', () => {
  const entries: readonly PricingEntry[] = [
    { asset: 'CREDIT', values: [{ dimensions: { model: 'a' }, unit_price: '1' }] },
    { asset: 'USD', values: [{ unit_price: '2' }] },
    { asset: 'EUR', values: [{ unit_price: '3' }] },
  ];
  const price = { usage_calculation: calculation({}), pricing: entries };

  it.each([
    { model: 'a', has: [], asset: 'CREDIT' },
    { model: 'a', has: ['EUR'], asset: 'EUR' },
    { model: 'a', has: ['EUR', 'USD'], asset: 'USD' },
    { model: 'b', has: ['CREDIT'], asset: 'USD' },
    { model: 'b', has: ['CREDIT', 'EUR'], asset: 'EUR' },
  ])('bills model $model in $asset for a payer with a balance in $has', ({ model, has, asset }) => {
    expect(
      priceEvent({ data: { model }, occurred_at: NOW }, price, payer(10, ...has)),
    ).toMatchObject({ asset });
  });
});
