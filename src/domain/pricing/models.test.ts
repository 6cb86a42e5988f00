import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRICE_MODELS } from './models.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('price models', () => {
  it.each(Object.keys(PRICE_MODELS))(
    '%s stands in the document and among the worked cases',
    (name) => {
      expect(JSON.parse(read('spec/openapi.json')).components.schemas.PricingModel.enum).toContain(
        name,
      );
      const cases = read('../contract-tests/worked-cases/price-models.json');
      const isUsed = name === 'flat' || cases.includes(`"pricing_model": "${name}"`);
      expect(isUsed, `a worked case of the price model ${name}`).toBe(true);
    },
  );

  it('are all that the document names', () => {
    const { PricingModel } = JSON.parse(read('spec/openapi.json')).components.schemas;
    expect(Object.keys(PRICE_MODELS).toSorted()).toEqual(PricingModel.enum.toSorted());
  });
});
