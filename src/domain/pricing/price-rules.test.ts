import { describe, expect, it } from 'vitest';
import { type Finding, finding, type Rule } from '../rules.ts';
import { type AssetTerms, type PriceInput, validatePrices } from './price-rules.ts';
import type { ValueInput } from './usage-rules.ts';

const ASSETS: Readonly<Record<string, AssetTerms>> = {
  USD: { isCurrency: true, precision: 2 },
  EUR: { isCurrency: true, precision: 2 },
  CREDIT: { isCurrency: false, precision: 1 },
};
const findAsset = (code: string) => ASSETS[code];
const judge = (...prices: PriceInput[]): Finding[] => validatePrices(prices, findAsset);
const broken = (...places: [Rule, string][]) => places.map(([rule, field]) => finding(rule, field));

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

const withValues = (price: PriceInput, ...values: ValueInput[]): PriceInput => ({
  ...price,
  pricing: [{ asset: 'USD', values }],
});

const VALUE = 'prices[0].pricing[0].values[0]';

describe('validatePrices', () => {
  it('accepts prices of every kind', () => {
    expect(judge(monthly, perUnit, perVolume, both)).toEqual([]);
    expect(judge()).toEqual([]);
  });

  it('treats null as absent', () => {
    const real_time: PriceInput = {
      ...perUnit,
      billing_model: { type: 'real_time', recurring: null },
    };
    const calculated: PriceInput = { ...monthly, usage_calculation: null };
    const value = {
      unit_price: 1,
      volume_rate: null,
      package_size: null,
      dimensions: null,
      values: null,
    };

    expect(judge(real_time, calculated, withValues(perUnit, value))).toEqual([]);
  });

  it.each<{ of: string; price: PriceInput; rule: Rule; field: string }>([
    {
      of: 'a fixed price billed in real time',
      price: { ...monthly, billing_model: { type: 'real_time' } },
      rule: 'price.billing_model',
      field: 'prices[0].billing_model.type',
    },
    {
      of: 'usage that recurs',
      price: { ...perUnit, billing_model: { type: 'recurring', recurring: { interval: 'day' } } },
      rule: 'price.usage_billing_not_emulated',
      field: 'prices[0].billing_model.type',
    },
    {
      of: 'a fixed price without interval',
      price: { ...monthly, billing_model: { type: 'recurring', recurring: null } },
      rule: 'price.interval_required',
      field: 'prices[0].billing_model.recurring',
    },
    {
      of: 'usage with an interval',
      price: { ...perUnit, billing_model: { type: 'real_time', recurring: { interval: 'day' } } },
      rule: 'price.interval_unexpected',
      field: 'prices[0].billing_model.recurring',
    },
    {
      of: 'a fixed price with a calculation',
      price: { ...monthly, usage_calculation: { usage_type: 'unit' } },
      rule: 'price.fixed_calculation',
      field: 'prices[0].usage_calculation',
    },
    {
      of: 'usage without a calculation',
      price: { ...perUnit, usage_calculation: null },
      rule: 'price.calculation_required',
      field: 'prices[0].usage_calculation',
    },
    {
      of: 'volume without its field',
      price: { ...perVolume, usage_calculation: { usage_type: 'volume' } },
      rule: 'price.volume_field_required',
      field: 'prices[0].usage_calculation.volume_field',
    },
    {
      of: 'unit and volume without its field',
      price: { ...both, usage_calculation: { usage_type: 'unit_and_volume', volume_field: null } },
      rule: 'price.volume_field_required',
      field: 'prices[0].usage_calculation.volume_field',
    },
    {
      of: 'units with a volume field',
      price: { ...perUnit, usage_calculation: { usage_type: 'unit', volume_field: 'tokens' } },
      rule: 'price.volume_field_unexpected',
      field: 'prices[0].usage_calculation.volume_field',
    },
    {
      of: 'an asset that does not exist',
      price: { ...perUnit, pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }] },
      rule: 'asset.unknown',
      field: 'prices[0].pricing[0].asset',
    },
    {
      of: 'a fixed price in a custom asset',
      price: { ...monthly, pricing: [{ asset: 'CREDIT', values: [{ unit_price: 1 }] }] },
      rule: 'price.fixed_currency',
      field: 'prices[0].pricing[0].asset',
    },
    {
      of: 'an asset given twice',
      price: { ...monthly, pricing: [...monthly.pricing, ...monthly.pricing] },
      rule: 'price.asset_repeated',
      field: 'prices[0].pricing[1].asset',
    },
  ])('rejects $of', ({ price, rule, field }) => {
    expect(judge(price)).toEqual(broken([rule, field]));
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

    expect(judge(monthly, nameless)).toEqual(
      broken(
        ['price.volume_field_required', 'prices[1].usage_calculation.volume_field'],
        ['asset.unknown', 'prices[1].pricing[0].asset'],
        ['price.volume_rate_required', 'prices[1].pricing[0].values[0].volume_rate'],
        ['price.unit_price_unexpected', 'prices[1].pricing[0].values[0].unit_price'],
        ['price.values_mixed', 'prices[1].pricing[1].values[1]'],
        ['price.volume_rate_required', 'prices[1].pricing[1].values[1].values[0].volume_rate'],
        ['price.unit_price_unexpected', 'prices[1].pricing[1].values[1].values[0].unit_price'],
      ),
    );
  });
});

describe('validatePrices, values of a usage-based price', () => {
  it.each<{ of: string; price: PriceInput; value: ValueInput; rule: Rule; field: string }>([
    {
      of: 'units without a unit_price',
      price: perUnit,
      value: {},
      rule: 'price.unit_price_required',
      field: `${VALUE}.unit_price`,
    },
    {
      of: 'units with a volume_rate',
      price: perUnit,
      value: { unit_price: 1, volume_rate: 1 },
      rule: 'price.volume_rate_unexpected',
      field: `${VALUE}.volume_rate`,
    },
    {
      of: 'volume without a volume_rate',
      price: perVolume,
      value: {},
      rule: 'price.volume_rate_required',
      field: `${VALUE}.volume_rate`,
    },
    {
      of: 'volume with a unit_price',
      price: perVolume,
      value: { unit_price: 1, volume_rate: 1 },
      rule: 'price.unit_price_unexpected',
      field: `${VALUE}.unit_price`,
    },
    {
      of: 'unit and volume without any amount',
      price: both,
      value: { name: 'Empty' } as ValueInput,
      rule: 'price.value_amount_required',
      field: VALUE,
    },
    {
      of: 'a package_size without a volume_rate',
      price: both,
      value: { unit_price: 1, package_size: 10 },
      rule: 'price.package_size_alone',
      field: `${VALUE}.package_size`,
    },
    {
      of: 'amounts in both places',
      price: both,
      value: { unit_price: 1, values: [{ volume_rate: 1 }] },
      rule: 'price.nested_values',
      field: `${VALUE}.values`,
    },
    {
      of: 'a dimension that is not billable',
      price: perUnit,
      value: { unit_price: 1, dimensions: { model: 'large', region: '*' } },
      rule: 'dimension.not_billable',
      field: `${VALUE}.dimensions.region`,
    },
  ])('rejects $of', ({ price, value, rule, field }) => {
    expect(judge(withValues(price, value))).toEqual(broken([rule, field]));
  });

  it.each<ValueInput>([
    { unit_price: 1 },
    { volume_rate: 1 },
    { unit_price: 0, volume_rate: 0, package_size: 5 },
    { values: [{ unit_price: 1, volume_rate: 1, package_size: 5 }] },
  ])('accepts %j for the usage type unit_and_volume', (value) => {
    expect(judge(withValues(both, value))).toEqual([]);
  });
});
