import { describe, expect, it } from 'vitest';
import { FORMATS } from './compiler.ts';
import { loadDocument, type OperationSpec } from './document.ts';
import { describeErrors } from './findings.ts';
import { validatorsOf } from './validators.ts';

const document = loadDocument('openapi');
const validate = validatorsOf(document).body(
  document.operations.get('createSubscription') as OperationSpec,
);

const findings = (version: unknown) =>
  describeErrors(validate({ products: [{ code: 'assistant', version }] }));

describe('validation of a value with several allowed types', () => {
  it.each([1, 'default', null])('accepts %j', (version) => {
    expect(findings(version)).toEqual([]);
  });

  it.each([
    [1.5, 'Expected a whole number or a string or null.'],
    [{ number: 1 }, 'Expected a whole number or a string or null.'],
    ['latest', 'Expected one of: default.'],
    [0, 'Expected 1 or more.'],
    [40_000, 'Expected 32767 or less.'],
  ])('rejects %j with one finding', (version, message) => {
    expect(findings(version)).toEqual([{ field: 'products[0].version', message }]);
  });

  it('rejects a pricing model that is not emulated and one that does not exist differently', () => {
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

it.each([
  ['int16', -32768, 32767, [-32769, 32768]],
  ['int32', -2147483648, 2147483647, [-2147483649, 2147483648]],
  ['int64', -(2 ** 63), 2 ** 63, [-(2 ** 63) - 2048, 2 ** 63 + 2048]],
] as const)('%s ends at its smallest and its largest whole number', (name, least, most, beyond) => {
  const { validate } = FORMATS[name] as { validate: (value: number) => boolean };

  expect([least, 0, most].map(validate)).toEqual([true, true, true]);
  expect([...beyond, 0.5].map(validate)).toEqual([false, false, false]);
});
