import { describe, expect, it } from 'vitest';
import { type Broken, broken, priceFindings } from '../../testing/catalog.ts';
import type { PriceInput } from './price-rules.ts';
import type { ValueInput } from './usage-rules.ts';

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
    expect(priceFindings(price)).toEqual([]);
  });

  it.each<[PriceInput, Broken]>([
    [usage({ pricing_model: 'tiered' }), 'price.tiering_required at tiering'],
    [
      usage({ pricing_model: 'bulk', tiering: { period: 'yearly' } }),
      'price.tiering_basis_required at tiering.basis',
    ],
    [
      usage({ tiering: { period: 'monthly' } }, [{ volume_rate: 1 }]),
      'price.tiering_unexpected at tiering',
    ],
    [
      usage({ pricing_model: 'package', tiering: { basis: 'package' } }, [
        { volume_rate: 1, package_size: 2 },
      ]),
      'price.tiering_basis_unexpected at tiering.basis',
    ],
    [
      usage({ ...TIERED, usage_calculation: UNITS }, [{ unit_price: 1 }]),
      'price.basis_not_counted at tiering.basis',
    ],
    [
      usage(
        { ...PACKAGES, usage_calculation: { usage_type: 'unit_and_volume', volume_field: 'v' } },
        [{ volume_rate: 1, package_size: 2 }],
      ),
      'price.package_usage at usage_calculation.usage_type',
    ],
    [
      usage(PACKAGES, [{ volume_rate: 1 }]),
      'price.package_size_required at values[0].package_size',
    ],
    [
      usage(PACKAGES, [
        { volume_rate: 1, package_size: 2 },
        { volume_rate: 1, package_size: 2 },
      ]),
      'price.one_row at values[1]',
    ],
    [
      usage({}, [{ values: [{ volume_rate: 1 }, { volume_rate: 2 }] }]),
      'price.one_row at values[0].values[1]',
    ],
    [
      usage(BY_PACKAGE, [
        { up_to: 1, volume_rate: 1, package_size: 2 },
        { volume_rate: 1, package_size: 3 },
      ]),
      'price.package_size_mixed at values[1].package_size',
    ],
    [usage({}, [{ up_to: 1, volume_rate: 1 }]), 'price.up_to_unexpected at values[0].up_to'],
    [usage(TIERED, [{ up_to: 1, volume_rate: 1 }]), 'price.up_to_order at values[0].up_to'],
    [
      usage(TIERED, [
        { up_to: 2, volume_rate: 1 },
        { up_to: 2, volume_rate: 1 },
        { volume_rate: 1 },
      ]),
      'price.up_to_order at values[1].up_to',
    ],
    [
      usage(TIERED, [{ volume_rate: 1 }, { volume_rate: 1 }]),
      'price.up_to_order at values[0].up_to',
    ],
    [
      usage(TIERED, [{ volume_rate: 1, dimensions: { m: 'a' } }]),
      'price.tier_dimensions at values[0].dimensions',
    ],
    [
      usage({}, [{ volume_rate: 1 }, { values: [{ volume_rate: 1 }] }]),
      'price.values_mixed at values[1]',
    ],
    [
      usage({}, [{ max_amount: 1, values: [{ volume_rate: 1 }] }]),
      'price.nested_values at values[0].values',
    ],
    [
      usage({}, [{ volume_rate: 1, min_amount: 2, max_amount: 1 }]),
      'price.bounds_order at values[0].max_amount',
    ],
    [
      usage({}, [{ volume_rate: 1, quantity: 2 }]),
      'price.quantity_unexpected at values[0].quantity',
    ],
    [
      usage({ billing_model: { type: 'one_time' } }, [{ volume_rate: 1 }]),
      'price.usage_billing_not_emulated at billing_model.type',
    ],
  ])('rejects %j with %s', (price, problem) => {
    expect(priceFindings(price)).toEqual(broken(problem));
  });

  it('accepts 100 tiers and rejects 101', () => {
    const rows = Array.from({ length: 101 }, (_, place) => ({
      volume_rate: 1,
      ...(place < 100 && { up_to: place + 1 }),
    }));
    expect(priceFindings(usage(TIERED, rows))).toEqual(
      broken('price.rows_too_many at values[100]'),
    );
    expect(priceFindings(usage(TIERED, rows.slice(1)))).toEqual([]);
  });

  it('reports every broken rule at once', () => {
    const price = usage({ pricing_model: 'bulk' }, [
      { up_to: 2, unit_price: 1 },
      { up_to: 1, volume_rate: 1, min_amount: 3, max_amount: 2 },
    ]);
    expect(priceFindings(price)).toEqual(
      broken(
        'price.tiering_required at tiering',
        'price.volume_rate_required at values[0].volume_rate',
        'price.unit_price_unexpected at values[0].unit_price',
        'price.bounds_order at values[1].max_amount',
        'price.up_to_order at values[1].up_to',
      ),
    );
  });
});
