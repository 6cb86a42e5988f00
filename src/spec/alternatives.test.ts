import { describe, expect, it } from 'vitest';
import { loadDocument, type OperationSpec } from './document.ts';
import { describeErrors } from './findings.ts';
import { validatorsOf } from './validators.ts';

const document = loadDocument('openapi');
const judge = validatorsOf(document).body(
  document.operations.get('createSubscription') as OperationSpec,
);

const findings = (version: unknown) =>
  describeErrors(judge({ products: [{ code: 'assistant', version }] }));

describe('a value of which a document says one of several', () => {
  it.each([1, 'default', null])('may be %j', (version) => {
    expect(findings(version)).toEqual([]);
  });

  it.each([
    [1.5, 'Expected a whole number or a string or null.'],
    [{ number: 1 }, 'Expected a whole number or a string or null.'],
    ['latest', 'Expected one of: default.'],
    [0, 'Expected 1 or more.'],
    [40_000, 'Expected 32767 or less.'],
  ])('is told in one finding what it may be: %j', (version, message) => {
    expect(findings(version)).toEqual([{ field: 'products[0].version', message }]);
  });

  it('is told of a misspelt price model what the emulator lacks', () => {
    const ofProduct = validatorsOf(document).body(
      document.operations.get('createProduct') as OperationSpec,
    );
    const price = { name: 'Calls', type: 'fixed', billing_model: { type: 'one_time' } };
    const pricing = [{ asset: 'USD', values: [{ unit_price: 1 }] }];
    const product = (pricing_model: string) => ({
      name: 'A',
      code: 'a',
      prices: [{ ...price, pricing, pricing_model }],
    });
    const field = 'prices[0].pricing_model';

    expect(describeErrors(ofProduct(product('custom')))).toEqual([
      { field, message: 'custom is not emulated.' },
    ]);
    expect(describeErrors(ofProduct(product('stairs')))).toEqual([
      { field, message: 'Expected one of: flat, tiered, bulk, package.' },
    ]);
  });
});
