import { describe, expect, it } from 'vitest';
import { validateEntitlements } from '../entitlements.ts';
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

const withValues = (price: PriceInput, ...values: ValueInput[]): PriceInput => ({
  ...price,
  pricing: [{ asset: 'USD', values }],
});

const VALUE = 'prices[0].pricing[0].values[0]';

describe('validatePrices, values of a fixed price', () => {
  it.each<{ of: string; values: ValueInput[]; rule: Rule; field: string }>([
    {
      of: 'no unit_price',
      values: [{}],
      rule: 'price.unit_price_required',
      field: `${VALUE}.unit_price`,
    },
    {
      of: 'a volume_rate',
      values: [{ unit_price: 1, volume_rate: 1 }],
      rule: 'price.fixed_value',
      field: `${VALUE}.volume_rate`,
    },
    {
      of: 'dimensions',
      values: [{ unit_price: 1, dimensions: { model: '*' } }],
      rule: 'price.fixed_value',
      field: `${VALUE}.dimensions`,
    },
    {
      of: 'a group of rows',
      values: [{ unit_price: 1 }, { values: [{ unit_price: 1 }] }],
      rule: 'price.fixed_value',
      field: 'prices[0].pricing[0].values[1].values',
    },
    {
      of: 'a group with an amount of its own, beside its rows',
      values: [{ unit_price: 1, values: [{ unit_price: 1 }] }],
      rule: 'price.fixed_value',
      field: `${VALUE}.values`,
    },
  ])('rejects $of', ({ values, rule, field }) => {
    expect(judge(withValues(monthly, ...values))).toEqual(broken([rule, field]));
  });

  it('accepts several rows and empty dimensions', () => {
    const rows = [{ unit_price: 1, dimensions: {} }, { unit_price: 2 }];
    expect(judge(withValues(monthly, ...rows))).toEqual([]);
  });
});

describe('validatePrices, several fixed prices', () => {
  const yearly: PriceInput = {
    ...monthly,
    billing_model: { type: 'recurring', recurring: { interval: 'year' } },
  };
  const inEuro: PriceInput = {
    ...monthly,
    pricing: [{ asset: 'EUR', values: [{ unit_price: 1 }] }],
  };

  it('requires the same interval', () => {
    expect(judge(perUnit, monthly, yearly)).toEqual(
      broken(['price.interval_mixed', 'prices[2].billing_model.recurring.interval']),
    );
  });

  it('requires a shared currency, whatever the asset of usage-based prices', () => {
    expect(judge(monthly, inEuro, perUnit)).toEqual(
      broken(['price.fixed_no_shared_currency', 'prices']),
    );
  });

  it('reports an asset that is not a currency, instead of the missing shared currency', () => {
    const [entry] = inEuro.pricing;
    const mixed = {
      ...inEuro,
      pricing: [...(entry ? [entry, { ...entry, asset: 'CREDIT' }] : [])],
    };

    expect(judge(monthly, mixed)).toEqual(
      broken(['price.fixed_currency', 'prices[1].pricing[1].asset']),
    );
  });

  it('rejects prices without a shared currency and accepts them with one', () => {
    expect(judge(monthly, inEuro)).toEqual(broken(['price.fixed_no_shared_currency', 'prices']));
    expect(judge(monthly, { ...inEuro, pricing: [...inEuro.pricing, ...monthly.pricing] })).toEqual(
      [],
    );
  });

  it('reports only asset.unknown for an asset that does not exist', () => {
    const unknown: PriceInput = {
      ...monthly,
      pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }],
    };

    expect(judge(monthly, unknown)).toEqual(
      broken(['asset.unknown', 'prices[1].pricing[0].asset']),
    );
  });
});

describe('validateEntitlements', () => {
  it('accepts amounts within the precision of their asset', () => {
    const entitlements = [
      { asset: 'CREDIT', amount: 0.5 },
      { asset: 'USD', amount: 0.0000000001 },
    ];

    expect(validateEntitlements(entitlements, findAsset)).toEqual([]);
  });

  it('rejects unknown assets and amounts beyond the precision of a custom asset', () => {
    const entitlements = [
      { asset: 'GOLD', amount: 1 },
      { asset: 'CREDIT', amount: 0.25 },
    ];

    expect(validateEntitlements(entitlements, findAsset)).toEqual(
      broken(
        ['asset.unknown', 'entitlements[0].asset'],
        ['amount.too_precise', 'entitlements[1].amount'],
      ),
    );
  });
});

describe('validatePrices, fixed prices', () => {
  const fixed = (given: object, value: object = { unit_price: 5 }): PriceInput => ({
    type: 'fixed',
    billing_model: { type: 'one_time', one_time: {} },
    pricing: [{ asset: 'USD', values: [value] }],
    ...given,
  });

  it('accepts the billing model one_time, a quantity and the flat model', () => {
    expect(judge(fixed({}, { unit_price: 5, quantity: 3 }))).toEqual([]);
    expect(judge(fixed({ pricing_model: 'flat' }))).toEqual([]);
  });

  it.each<[string, PriceInput, Rule, string]>([
    [
      'a model',
      fixed({ pricing_model: 'tiered' }),
      'price.fixed_model_not_emulated',
      'prices[0].pricing_model',
    ],
    [
      'tiering',
      fixed({ tiering: { period: 'monthly' } }),
      'price.fixed_model_not_emulated',
      'prices[0].tiering',
    ],
    [
      'a bound',
      fixed({}, { unit_price: 1, max_amount: 2 }),
      'price.fixed_value',
      `${VALUE}.max_amount`,
    ],
    [
      'an interval beside one_time',
      fixed({ billing_model: { type: 'one_time', recurring: { interval: 'day' } } }),
      'price.interval_unexpected',
      'prices[0].billing_model.recurring',
    ],
    [
      'one_time beside an interval',
      fixed({ billing_model: { type: 'recurring', recurring: { interval: 'day' }, one_time: {} } }),
      'price.one_time_unexpected',
      'prices[0].billing_model.one_time',
    ],
  ])('rejects %s', (_, price, rule, field) => {
    expect(judge(price)).toEqual(broken([rule, field]));
  });

  it('requires the same interval_count', () => {
    const every = (interval_count: number) =>
      fixed({
        billing_model: { type: 'recurring', recurring: { interval: 'month', interval_count } },
      });
    expect(judge(every(3), fixed({}), every(3))).toEqual([]);
    expect(judge(every(3), every(1))).toEqual(
      broken(['price.interval_mixed', 'prices[1].billing_model.recurring.interval']),
    );
  });
});
