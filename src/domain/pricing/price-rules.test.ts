import { describe, expect, it } from 'vitest';
import { type Broken, broken, priceFindings } from '../../testing/catalog.ts';
import type { PriceInput } from './price-rules.ts';
import type { ValueInput } from './usage-rules.ts';

const monthly: PriceInput = {
  type: 'fixed',
  billing_model: { type: 'recurring', recurring: { interval: 'month' } },
  pricing: [{ asset: 'USD', values: [{ unit_price: 10 }] }],
};

const perUnit: PriceInput = {
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { usage_type: 'unit', billable_dimensions: ['model'] },
  pricing: [{ asset: 'CREDIT', values: [{ unit_price: 0 }] }],
};

const perVolume: PriceInput = {
  ...perUnit,
  usage_calculation: { usage_type: 'volume', volume_field: 'tokens' },
  pricing: [{ asset: 'USD', values: [{ volume_rate: 2, package_size: 1000 }] }],
};

const both: PriceInput = {
  ...perVolume,
  usage_calculation: { usage_type: 'unit_and_volume', volume_field: 'tokens' },
};

const daily = { interval: 'day' } as const;

const costs = (price: PriceInput, ...values: ValueInput[]): PriceInput => ({
  ...price,
  pricing: [{ asset: 'USD', values }],
});

const inAsset = (asset: string, price: PriceInput): PriceInput => ({
  ...price,
  pricing: [{ asset, values: [{ unit_price: 1 }] }],
});

describe('validatePrices', () => {
  it('accepts prices of every kind', () => {
    expect(priceFindings(monthly, perUnit, perVolume, both)).toEqual([]);
    expect(priceFindings()).toEqual([]);
  });

  it('treats null as absent', () => {
    const real_time: PriceInput = {
      ...perUnit,
      billing_model: { type: 'real_time', recurring: null },
    };
    const calculated: PriceInput = { ...monthly, usage_calculation: null };
    const absent = { volume_rate: null, package_size: null, dimensions: null, values: null };

    expect(
      priceFindings(real_time, calculated, costs(perUnit, { unit_price: 1, ...absent })),
    ).toEqual([]);
  });

  it.each<[PriceInput, Broken]>([
    [
      { ...monthly, billing_model: { type: 'real_time' } },
      'price.billing_model at billing_model.type',
    ],
    [
      { ...perUnit, billing_model: { type: 'recurring', recurring: daily } },
      'price.usage_billing_not_emulated at billing_model.type',
    ],
    [
      { ...monthly, billing_model: { type: 'recurring', recurring: null } },
      'price.interval_required at billing_model.recurring',
    ],
    [
      { ...perUnit, billing_model: { type: 'real_time', recurring: daily } },
      'price.interval_unexpected at billing_model.recurring',
    ],
    [
      { ...monthly, usage_calculation: { usage_type: 'unit' } },
      'price.fixed_calculation at usage_calculation',
    ],
    [{ ...perUnit, usage_calculation: null }, 'price.calculation_required at usage_calculation'],
    [
      { ...perVolume, usage_calculation: { usage_type: 'volume' } },
      'price.volume_field_required at usage_calculation.volume_field',
    ],
    [
      { ...both, usage_calculation: { usage_type: 'unit_and_volume', volume_field: null } },
      'price.volume_field_required at usage_calculation.volume_field',
    ],
    [
      { ...perUnit, usage_calculation: { usage_type: 'unit', volume_field: 'tokens' } },
      'price.volume_field_unexpected at usage_calculation.volume_field',
    ],
    [inAsset('GOLD', perUnit), 'asset.unknown at pricing[0].asset'],
    [inAsset('CREDIT', monthly), 'price.fixed_currency at pricing[0].asset'],
    [
      { ...monthly, pricing: [...monthly.pricing, ...monthly.pricing] },
      'price.asset_repeated at pricing[1].asset',
    ],
  ])('rejects %j with %s', (price, problem) => {
    expect(priceFindings(price)).toEqual(broken(problem));
  });

  it('reports every broken rule of a body at once', () => {
    const nameless: PriceInput = {
      ...perUnit,
      usage_calculation: { usage_type: 'volume', billable_dimensions: [] },
      pricing: [
        { asset: 'GOLD', values: [{ unit_price: 1 }] },
        { asset: 'USD', values: [{ volume_rate: 1 }, { values: [{ unit_price: 3 }] }] },
      ],
    };

    expect(priceFindings(monthly, nameless)).toEqual(
      broken(
        'price.volume_field_required at prices[1].usage_calculation.volume_field',
        'asset.unknown at prices[1].pricing[0].asset',
        'price.volume_rate_required at prices[1].pricing[0].values[0].volume_rate',
        'price.unit_price_unexpected at prices[1].pricing[0].values[0].unit_price',
        'price.values_mixed at prices[1].pricing[1].values[1]',
        'price.volume_rate_required at prices[1].pricing[1].values[1].values[0].volume_rate',
        'price.unit_price_unexpected at prices[1].pricing[1].values[1].values[0].unit_price',
      ),
    );
  });
});

describe('validatePrices, values of a usage-based price', () => {
  it.each<[PriceInput, Broken]>([
    [costs(perUnit, {}), 'price.unit_price_required at values[0].unit_price'],
    [
      costs(perUnit, { unit_price: 1, volume_rate: 1 }),
      'price.volume_rate_unexpected at values[0].volume_rate',
    ],
    [costs(perVolume, {}), 'price.volume_rate_required at values[0].volume_rate'],
    [
      costs(perVolume, { unit_price: 1, volume_rate: 1 }),
      'price.unit_price_unexpected at values[0].unit_price',
    ],
    [costs(both, { quantity: null }), 'price.value_amount_required at values[0]'],
    [
      costs(both, { unit_price: 1, package_size: 10 }),
      'price.package_size_alone at values[0].package_size',
    ],
    [
      costs(both, { unit_price: 1, values: [{ volume_rate: 1 }] }),
      'price.nested_values at values[0].values',
    ],
    [
      costs(perUnit, { unit_price: 1, dimensions: { model: 'large', region: '*' } }),
      'dimension.not_billable at values[0].dimensions.region',
    ],
  ])('rejects %j with %s', (price, problem) => {
    expect(priceFindings(price)).toEqual(broken(problem));
  });

  it.each<ValueInput>([
    { unit_price: 1 },
    { volume_rate: 1 },
    { unit_price: 0, volume_rate: 0, package_size: 5 },
    { values: [{ unit_price: 1, volume_rate: 1, package_size: 5 }] },
  ])('accepts %j for the usage type unit_and_volume', (value) => {
    expect(priceFindings(costs(both, value))).toEqual([]);
  });
});

describe('validatePrices, a fixed price', () => {
  const once: PriceInput = { ...monthly, billing_model: { type: 'one_time', one_time: {} } };

  it('accepts several rows, empty dimensions, one_time, a quantity and the flat model', () => {
    expect(
      priceFindings(costs(monthly, { unit_price: 1, dimensions: {} }, { unit_price: 2 })),
    ).toEqual([]);
    expect(priceFindings(costs(once, { unit_price: 5, quantity: 3 }))).toEqual([]);
    expect(priceFindings({ ...once, pricing_model: 'flat' })).toEqual([]);
  });

  it.each<[PriceInput, Broken]>([
    [costs(monthly, {}), 'price.unit_price_required at values[0].unit_price'],
    [
      costs(monthly, { unit_price: 1, volume_rate: 1 }),
      'price.fixed_value at values[0].volume_rate',
    ],
    [
      costs(monthly, { unit_price: 1, dimensions: { model: '*' } }),
      'price.fixed_value at values[0].dimensions',
    ],
    [
      costs(monthly, { unit_price: 1 }, { values: [{ unit_price: 1 }] }),
      'price.fixed_value at values[1].values',
    ],
    [
      costs(monthly, { unit_price: 1, values: [{ unit_price: 1 }] }),
      'price.fixed_value at values[0].values',
    ],
    [costs(once, { unit_price: 1, max_amount: 2 }), 'price.fixed_value at values[0].max_amount'],
    [{ ...once, pricing_model: 'tiered' }, 'price.fixed_model_not_emulated at pricing_model'],
    [{ ...once, tiering: { period: 'monthly' } }, 'price.fixed_model_not_emulated at tiering'],
    [
      { ...once, billing_model: { type: 'one_time', recurring: daily } },
      'price.interval_unexpected at billing_model.recurring',
    ],
    [
      { ...once, billing_model: { type: 'recurring', recurring: daily, one_time: {} } },
      'price.one_time_unexpected at billing_model.one_time',
    ],
  ])('rejects %j with %s', (price, problem) => {
    expect(priceFindings(price)).toEqual(broken(problem));
  });

  it('has the interval and the interval_count of the others', () => {
    const every = (interval: 'month' | 'year', interval_count?: number): PriceInput => {
      const recurring = { interval, ...(interval_count && { interval_count }) };
      return { ...monthly, billing_model: { type: 'recurring', recurring } };
    };
    const mixed = (place: number) =>
      broken(`price.interval_mixed at prices[${place}].billing_model.recurring.interval`);

    expect(priceFindings(perUnit, every('month'), every('year'))).toEqual(mixed(2));
    expect(priceFindings(every('month', 3), once, every('month', 3))).toEqual([]);
    expect(priceFindings(every('month', 3), every('month', 1))).toEqual(mixed(1));
  });

  it('has a currency of the others, whatever the asset of usage-based prices', () => {
    const inEuro = inAsset('EUR', monthly);
    const inEuroAnd = (asset: string): PriceInput => ({
      ...inEuro,
      pricing: [...inEuro.pricing, ...inAsset(asset, monthly).pricing],
    });
    const unshared = broken('price.fixed_no_shared_currency at prices');

    expect(priceFindings(monthly, inEuro)).toEqual(unshared);
    expect(priceFindings(monthly, inEuro, perUnit)).toEqual(unshared);
    expect(priceFindings(monthly, inEuroAnd('USD'))).toEqual([]);
    expect(priceFindings(monthly, inEuroAnd('CREDIT'))).toEqual(
      broken('price.fixed_currency at prices[1].pricing[1].asset'),
    );
    expect(priceFindings(monthly, inAsset('GOLD', monthly))).toEqual(
      broken('asset.unknown at prices[1].pricing[0].asset'),
    );
  });
});
