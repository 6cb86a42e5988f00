import { describe, expect, it } from 'vitest';
import { finding, type Rule } from '../rules.ts';
import { type PriceInput, validatePrices } from './price-rules.ts';

const judge = (...prices: PriceInput[]) =>
  validatePrices(prices, () => ({ isCurrency: true, precision: 2 }));

const VALUES = 'prices[0].pricing[0].values';

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
      `${VALUES}[0].max_amount`,
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
    expect(judge(price)).toEqual([finding(rule, field)]);
  });

  it('requires the same interval_count', () => {
    const every = (interval_count: number) =>
      fixed({
        billing_model: { type: 'recurring', recurring: { interval: 'month', interval_count } },
      });
    expect(judge(every(3), fixed({}), every(3))).toEqual([]);
    expect(judge(every(3), every(1))).toEqual([
      finding('price.interval_mixed', 'prices[1].billing_model.recurring.interval'),
    ]);
  });
});
