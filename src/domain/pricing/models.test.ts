import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decimal, format } from '../decimal.ts';
import { explainMatching } from './matching.ts';
import { PRICE_MODELS } from './models.ts';
import { groupsOf, type PriceGroup, type PricingEntry, type UsageCalculation } from './price.ts';
import { explainAmount } from './price-breakdown.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('price models', () => {
  it.each(Object.keys(PRICE_MODELS))(
    '%s is in the enum of the OpenAPI document and in the worked cases',
    (name) => {
      expect(JSON.parse(read('spec/openapi.json')).components.schemas.PricingModel.enum).toContain(
        name,
      );
      const cases = read('../contract-tests/worked-cases/prices.json');
      const isUsed = name === 'flat' || cases.includes(`"pricing_model": "${name}"`);
      expect(isUsed, `a worked case of the price model ${name}`).toBe(true);
    },
  );

  it('are exactly the enum of the OpenAPI document', () => {
    const { PricingModel } = JSON.parse(read('spec/openapi.json')).components.schemas;
    expect(Object.keys(PRICE_MODELS).toSorted()).toEqual(PricingModel.enum.toSorted());
  });
});

const VOLUME: UsageCalculation = {
  event_type: 'call',
  usage_type: 'unit_and_volume',
  volume_field: 'v',
  billable_dimensions: [],
};

describe('the explanation of a flat price', () => {
  it.each([
    { value: { unit_price: '0.5' }, volume: null, formula: '0.5', exact: '0.5', amount: '0.5' },
    {
      value: { volume_rate: '10', package_size: 1_000_000 },
      volume: '417000',
      formula: '417000 × 10 ÷ 1000000',
      exact: '4.17',
      amount: '4.17',
    },
    {
      value: { unit_price: '1', volume_rate: '2', package_size: 3 },
      volume: '1',
      formula: '1 + 1 × 2 ÷ 3',
      exact: '1.66666666666666666666…',
      amount: '1.6666666667',
    },
    {
      value: { volume_rate: '0.00000000005' },
      volume: '1',
      formula: '1 × 0.00000000005',
      exact: '0.00000000005',
      amount: '0',
    },
    {
      value: { volume_rate: '0.00000000015' },
      volume: '1',
      formula: '1 × 0.00000000015',
      exact: '0.00000000015',
      amount: '0.0000000002',
    },
  ])(
    'states $formula = $exact, rounded to $amount',
    ({ value, volume, formula, exact, amount }) => {
      const pricing = [{ asset: 'USD', values: [value] }];
      const [group] = groupsOf(pricing[0] as PricingEntry, false);
      const price = { usage_calculation: VOLUME, pricing };
      const used = volume === null ? null : decimal(volume);
      const breakdown = PRICE_MODELS.flat.amount(price, group as PriceGroup, used, decimal('0'));
      const explained = explainAmount(breakdown, 10);

      expect(explained).toMatchObject({ formula, exact, rounded: exact !== amount });
      expect(format(explained.amount)).toBe(amount);
    },
  );
});

describe('explainMatching', () => {
  const values = [
    { dimensions: { model: '*', tier: '*' } },
    { dimensions: { model: 'large', tier: '*' } },
    { dimensions: { model: '*', tier: 'pro' } },
    { dimensions: { model: 'small', tier: 'pro' } },
    {},
  ];

  it('states why a value does not match, or how a matching value ranks', () => {
    const reasons = explainMatching({ asset: 'USD', values }, false, {
      model: 'large',
      tier: 'pro',
    });

    expect(reasons.map(({ reason }) => reason)).toEqual([
      'matches any dimensions, but less specifically',
      'matches with 1 equal dimension, the most specific match',
      'matches with 1 equal dimension as well, but is listed later',
      'needs model small, the event has large',
      'matches everything, but less specifically',
    ]);
  });
});
