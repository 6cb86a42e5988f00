import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRICE_MODELS } from './models.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('price models', () => {
  it.each(Object.keys(PRICE_MODELS))(
    '%s is in the enum of the OpenAPI document and in the worked cases',
    (name) => {
      expect(JSON.parse(read('spec/openapi.json')).components.schemas.PricingModel.enum).toContain(
        name,
      );
      const cases = ['prices', 'packages'].map((file) =>
        read(`../contract-tests/worked-cases/${file}.json`),
      );
      const isUsed = name === 'flat' || cases.join().includes(`"pricing_model": "${name}"`);
      expect(isUsed, `a worked case of the price model ${name}`).toBe(true);
    },
  );

  it('are exactly the enum of the OpenAPI document', () => {
    const { PricingModel } = JSON.parse(read('spec/openapi.json')).components.schemas;
    expect(Object.keys(PRICE_MODELS).toSorted()).toEqual(PricingModel.enum.toSorted());
  });
});
