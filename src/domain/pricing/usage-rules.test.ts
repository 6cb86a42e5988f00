import { describe, expect, it } from 'vitest';
import { finding, type Rule } from '../rules.ts';
import { type PriceInput, validatePrices } from './price-rules.ts';
import type { ValueInput } from './usage-rules.ts';

const judge = (price: PriceInput) =>
  validatePrices([price], (code) =>
    code === 'USD' ? { isCurrency: true, precision: 2 } : undefined,
  );

const ROWS = [{ up_to: 100, volume_rate: 1 }, { volume_rate: 0.5 }];

function usage(given: Partial<PriceInput>, values: readonly ValueInput[] = ROWS): PriceInput {
  return {
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    usage_calculation: { usage_type: 'volume', volume_field: 'v', billable_dimensions: ['m'] },
    pricing: [{ asset: 'USD', values }],
    ...given,
  };
}

const TIERED = { pricing_model: 'tiered', tiering: { basis: 'volume' } } as const;
const PACKAGES = { pricing_model: 'package', tiering: { period: 'monthly' } } as const;
const BY_PACKAGE = { pricing_model: 'bulk', tiering: { basis: 'package' } } as const;
const UNITS = { usage_type: 'unit' } as const;
const VALUES = 'prices[0].pricing[0].values';

describe('validatePrices, usage-based prices with a pricing model', () => {
  it.each<[string, PriceInput]>([
    ['tiers', usage(TIERED)],
    ['tiers in groups', usage(TIERED, [{ dimensions: { m: 1 }, values: ROWS }, { values: ROWS }])],
    ['one tier', usage(TIERED, [{ volume_rate: 1 }])],
    ['tiers by unit of a volume', usage({ ...TIERED, tiering: { basis: 'unit' } })],
    ['a package', usage(PACKAGES, [{ volume_rate: 3, package_size: 100 }])],
    [
      'a package without a period',
      usage({ pricing_model: 'package' }, [{ volume_rate: 3, package_size: 1 }]),
    ],
    [
      'packages of events in bulk',
      usage({ ...BY_PACKAGE, usage_calculation: UNITS }, [
        { up_to: 2, unit_price: 2, package_size: 3 },
        { unit_price: 1, package_size: 3 },
      ]),
    ],
    ['bounds', usage({}, [{ volume_rate: 1, min_amount: 2, max_amount: 2 }])],
  ])('accepts %s', (_, price) => {
    expect(judge(price)).toEqual([]);
  });

  it.each<[string, PriceInput, Rule, string]>([
    [
      'tiers without tiering',
      usage({ pricing_model: 'tiered' }),
      'price.tiering_required',
      'prices[0].tiering',
    ],
    [
      'bulk without a basis',
      usage({ pricing_model: 'bulk', tiering: { period: 'yearly' } }),
      'price.tiering_basis_required',
      'prices[0].tiering.basis',
    ],
    [
      'a flat price with tiering',
      usage({ tiering: { period: 'monthly' } }, [{ volume_rate: 1 }]),
      'price.tiering_unexpected',
      'prices[0].tiering',
    ],
    [
      'a package with a basis',
      usage({ pricing_model: 'package', tiering: { basis: 'package' } }, [
        { volume_rate: 1, package_size: 2 },
      ]),
      'price.tiering_basis_unexpected',
      'prices[0].tiering.basis',
    ],
    [
      'units by volume',
      usage({ ...TIERED, usage_calculation: UNITS }, [{ unit_price: 1 }]),
      'price.basis_not_counted',
      'prices[0].tiering.basis',
    ],
    [
      'packages of both',
      usage(
        { ...PACKAGES, usage_calculation: { usage_type: 'unit_and_volume', volume_field: 'v' } },
        [{ volume_rate: 1, package_size: 2 }],
      ),
      'price.package_usage',
      'prices[0].usage_calculation.usage_type',
    ],
    [
      'a package without a size',
      usage(PACKAGES, [{ volume_rate: 1 }]),
      'price.package_size_required',
      `${VALUES}[0].package_size`,
    ],
    [
      'two rows of packages',
      usage(PACKAGES, [
        { volume_rate: 1, package_size: 2 },
        { volume_rate: 1, package_size: 2 },
      ]),
      'price.one_row',
      `${VALUES}[1]`,
    ],
    [
      'two rows in a flat group',
      usage({}, [{ values: [{ volume_rate: 1 }, { volume_rate: 2 }] }]),
      'price.one_row',
      `${VALUES}[0].values[1]`,
    ],
    [
      'different package sizes',
      usage(BY_PACKAGE, [
        { up_to: 1, volume_rate: 1, package_size: 2 },
        { volume_rate: 1, package_size: 3 },
      ]),
      'price.package_size_mixed',
      `${VALUES}[1].package_size`,
    ],
    [
      'a bound in a flat row',
      usage({}, [{ up_to: 1, volume_rate: 1 }]),
      'price.up_to_unexpected',
      `${VALUES}[0].up_to`,
    ],
    [
      'a bound in the last row',
      usage(TIERED, [{ up_to: 1, volume_rate: 1 }]),
      'price.up_to_order',
      `${VALUES}[0].up_to`,
    ],
    [
      'descending bounds',
      usage(TIERED, [
        { up_to: 2, volume_rate: 1 },
        { up_to: 2, volume_rate: 1 },
        { volume_rate: 1 },
      ]),
      'price.up_to_order',
      `${VALUES}[1].up_to`,
    ],
    [
      'a row without a bound in the middle',
      usage(TIERED, [{ volume_rate: 1 }, { volume_rate: 1 }]),
      'price.up_to_order',
      `${VALUES}[0].up_to`,
    ],
    [
      'dimensions of a tier',
      usage(TIERED, [{ volume_rate: 1, dimensions: { m: 'a' } }]),
      'price.tier_dimensions',
      `${VALUES}[0].dimensions`,
    ],
    [
      'rows beside groups',
      usage({}, [{ volume_rate: 1 }, { values: [{ volume_rate: 1 }] }]),
      'price.values_mixed',
      `${VALUES}[1]`,
    ],
    [
      'a group with an amount',
      usage({}, [{ max_amount: 1, values: [{ volume_rate: 1 }] }]),
      'price.nested_values',
      `${VALUES}[0].values`,
    ],
    [
      'a min_amount above the max_amount',
      usage({}, [{ volume_rate: 1, min_amount: 2, max_amount: 1 }]),
      'price.bounds_order',
      `${VALUES}[0].max_amount`,
    ],
    [
      'a quantity of usage',
      usage({}, [{ volume_rate: 1, quantity: 2 }]),
      'price.quantity_unexpected',
      `${VALUES}[0].quantity`,
    ],
    [
      'usage billed once',
      usage({ billing_model: { type: 'one_time' } }, [{ volume_rate: 1 }]),
      'price.usage_billing_not_emulated',
      'prices[0].billing_model.type',
    ],
  ])('rejects %s', (_, price, rule, field) => {
    expect(judge(price)).toEqual([finding(rule, field)]);
  });

  it('accepts 100 tiers and rejects 101', () => {
    const rows = Array.from({ length: 101 }, (_, place) => ({
      volume_rate: 1,
      ...(place < 100 && { up_to: place + 1 }),
    }));
    expect(judge(usage(TIERED, rows))).toEqual([finding('price.rows_too_many', `${VALUES}[100]`)]);
    expect(judge(usage(TIERED, rows.slice(1)))).toEqual([]);
  });

  it('reports every broken rule at once', () => {
    const price = usage({ pricing_model: 'bulk' }, [
      { up_to: 2, unit_price: 1 },
      { up_to: 1, volume_rate: 1, min_amount: 3, max_amount: 2 },
    ]);
    expect(judge(price)).toEqual([
      finding('price.tiering_required', 'prices[0].tiering'),
      finding('price.volume_rate_required', `${VALUES}[0].volume_rate`),
      finding('price.unit_price_unexpected', `${VALUES}[0].unit_price`),
      finding('price.bounds_order', `${VALUES}[1].max_amount`),
      finding('price.up_to_order', `${VALUES}[1].up_to`),
    ]);
  });
});
