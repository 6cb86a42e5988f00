import {
  aDraftProduct,
  aFixedPrice,
  aFreshProduct,
  api,
  check,
  expect,
  type OwnProduct,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { expectChanged, omit } from './shared/fields.ts';
import { ENTITLEMENT, patchVersion, versionOf } from './shared/products.ts';

const BOUNDS = { min_amount: 0.5, max_amount: 90 };
const ROWS = [
  { name: 'First', up_to: 100, volume_rate: 0, ...BOUNDS },
  { volume_rate: 0.5, ...BOUNDS },
];
const TIERS = ['eu', '*'].map((region) => ({
  dimensions: { region, tier: '*' },
  values: [{ up_to: 2, unit_price: 0 }, { unit_price: 0.5 }],
}));
const DIMENSIONS = { billable_dimensions: ['region', 'tier'] };

const inUsd = (...values: object[]) => [{ asset: 'USD', values }];

/** Prices and entitlements that together use every optional field. */
const WHOLE = {
  prices: [
    {
      ...aFixedPrice(),
      billing_model: { type: 'recurring', recurring: { interval: 'month', interval_count: 3 } },
      pricing: inUsd(
        { name: 'Seat', unit_price: 2, quantity: 3 },
        { name: 'Base', unit_price: 1, quantity: 1 },
      ),
    },
    {
      ...aFixedPrice(),
      name: 'Once',
      pricing: inUsd({ unit_price: 0 }),
      billing_model: {
        type: 'one_time',
        one_time: { service_period: { duration: 'year', parts: [1, 2.5, 'three', null] } },
      },
    },
    {
      ...price('contract.whole', 'volume', [], {
        ...DIMENSIONS,
        source_reference_field: 'id',
        unit_aggregation: 'count',
        volume_aggregation: 'sum',
      }),
      pricing_model: 'tiered',
      tiering: { basis: 'volume', period: 'monthly' },
      pricing: inUsd(
        { name: 'Large', dimensions: { region: 'eu', tier: 'gold' }, values: ROWS },
        { dimensions: { region: '*', tier: '*' }, values: ROWS },
      ),
    },
    {
      ...price('contract.flat', 'unit_and_volume', []),
      name: 'Flat',
      pricing: ['USD', 'EUR'].map((asset, index) => ({
        asset,
        values: [{ unit_price: index + 1, volume_rate: 0.25, package_size: 10, ...BOUNDS }],
      })),
    },
    {
      ...price('contract.tiers', 'unit', TIERS, DIMENSIONS),
      name: 'Tiers',
      pricing_model: 'tiered',
      tiering: { basis: 'unit' },
    },
    price(
      'contract.nothing',
      'unit_and_volume',
      [
        {
          dimensions: { region: 'eu', tier: '*' },
          unit_price: 0,
          volume_rate: 0,
          package_size: 10,
        },
        { unit_price: 0.1, volume_rate: 0 },
      ],
      DIMENSIONS,
    ),
    // A value with one row is returned as it was sent.
    price('contract.nested', 'unit', [{ name: 'Nested', values: [{ unit_price: 0.5 }] }]),
  ],
  entitlements: [
    {
      ...ENTITLEMENT,
      priority: 4,
      lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
      accounting: { revenue_basis: 0.5, cost_basis: 0.25 },
    },
    {
      ...ENTITLEMENT,
      name: 'More',
      purpose: 'promotion',
      lifecycle: { duration: 'day', duration_count: 2 },
    },
  ],
};

/** Prices and entitlements with some of the same names, with other values or only required fields. */
const OTHER = {
  prices: [
    aFixedPrice(7),
    { ...price('contract.other', 'unit', [{ unit_price: 3 }]), name: 'Flat' },
  ],
  entitlements: [
    ENTITLEMENT,
    {
      ...{ name: 'More', asset: 'EUR', amount: 9, purpose: 'bundled', priority: 1 },
      lifecycle: { duration: 'week', refresh: { strategy: 'rollover' } },
      accounting: { revenue_basis: 0.125, cost_basis: 'auto' },
    },
  ],
};

async function contentOf(product: Pick<OwnProduct, 'id'>, version: number) {
  const { prices, entitlements } = await versionOf(product, version);
  return { prices: prices.map((one) => omit(one, 'id')), entitlements };
}

check(
  'PRD-46',
  {
    requirement:
      'R-CONV-08 R-PRD-02 R-PRD-04 R-PRD-06 R-PRD-07 R-PRD-08 R-PRD-09 R-PRD-10 R-PRD-11 R-PRD-12 R-PRD-13 R-PRD-14 R-PRD-44 R-PRD-45 R-PRD-50 R-PRD-52 R-PRD-54',
    effect: 'E3',
    assumes: 'A-504 A-506 A-511 A-1506 A-1507 A-1508 A-1510',
  },
  "a product, a new version and a draft's update with every optional field of prices and entitlements → each shows them as sent",
  async (t) => {
    const created = await contentOf(await aFreshProduct(WHOLE), 1);
    const bare = await aFreshProduct();
    const path = { productId: bare.id };
    await api('createProductVersion', { path, body: WHOLE as never }, 201);
    const draft = await aDraftProduct(t);
    const first = { productId: draft.id, version: '1' };
    await api('updateProductVersion', { path: first, body: WHOLE as never }, 204);

    expect(created.prices).toMatchObject(WHOLE.prices);
    expect(created.entitlements).toMatchObject(WHOLE.entitlements);
    const [, , tiered] = (await versionOf(bare, 2)).prices;
    const [tier] = tiered?.pricing[0]?.values[0]?.values ?? [];
    expect(tier?.package_size, 'package_size left out').toBe(1);
    expect(await contentOf(bare, 2)).toEqual(created);
    expect(await contentOf(draft, 1)).toEqual(created);
  },
);

check(
  'PRD-33',
  { requirement: 'R-PRD-36 R-PRD-45', effect: 'E2', assumes: 'A-307 A-501' },
  'name, prices or entitlements of a draft changed alone, and an update without fields → only that field changes, in the order sent; entitlements of null → none',
  async (t) => {
    const prices = ['contract.a', 'contract.b'].map((type, index) =>
      price(type, 'unit', [{ unit_price: index + 2 }], { billable_dimensions: ['region'] }),
    );
    const made = await aDraftProduct(t, { entitlements: [ENTITLEMENT] });
    const update = (body: object) => patchVersion(made, 1, body, 204);
    await expectChanged({
      made,
      read: async (product) => ({
        name: (await versionOf(product, 1)).name,
        ...(await contentOf(product, 1)),
      }),
      update: (_, body) => update(body),
      changes: [
        { name: 'Contract changed' },
        { prices },
        { entitlements: [OTHER.entitlements[1], WHOLE.entitlements[0]] },
      ],
    });
    await update({ entitlements: null });
    expect(await contentOf(made, 1)).toEqual({ prices, entitlements: [] });
  },
);
