import {
  aFixedPrice,
  aProduct,
  api,
  aUnitPrice,
  type CheckContext,
  expect,
  lexeme,
  unique,
} from '../../../kit/index.ts';
import { price } from '../events.ts';
import { each, type Fields, itemsOf, pick, type Resource } from '../fields.ts';
import { ENTITLEMENT, type Version, versionOf } from '../products.ts';
import { decimals, long, NO_DECIMALS, TINY } from '../values.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** A draft with this content, of which `read` shows the fields. It is deleted after the check. */
const draft = (
  t: CheckContext,
  contentOf: (fields: Fields) => object,
  read: (version: Version) => Fields,
): Pick<Awaited<ReturnType<Resource>>, 'operation' | 'request' | 'shown'> => ({
  operation: 'createProduct',
  request: async (fields) => {
    const whole = { name: 'Contract fields', code: unique('fields') };
    const prices = [aUnitPrice('contract.fields')];
    return { body: { ...whole, prices, ...contentOf(fields) } };
  },
  async shown({ id }) {
    t.afterwards(() => api('deleteProduct', { path: { productId: id } }, 204));
    expect(id).toMatch(/^prp_/);
    return [read(await versionOf({ id }, 1))];
  },
});

/** Expects that numbers are shown without an exponent. */
function expectPlain(part: object | undefined, names: readonly string[]): void {
  for (const name of names)
    expect(lexeme(part as object, name as never), `notation of ${name}`).not.toMatch(/e/i);
}

export const products: Resource = async (_, t) => ({
  ...draft(
    t,
    (fields) => fields,
    (version) => pick(version, ['name', 'code']),
  ),
  state: itemsOf('listProducts'),
  required: ['name', 'code'],
  kept: [
    { name: long(256), description: long(1024) },
    { name: 'x', code: unique('code').padEnd(64, '0') },
  ],
  taken: [async () => ({ code: (await aProduct()).code }), 'A-501'],
  besides: { entitlements: [{ ...ENTITLEMENT, asset: 'CTNOWHERE' }] },
  beyond: {
    'A-306': [...each('name', [long(257)]), ...each('description', [long(1025)])],
    'A-501': [
      ...each('code', [unique('code').padEnd(65, '0')]),
      ...each('code', ['', '-code', 'co de', 'cöde']),
    ],
    // Another check has as many entitlements and prices as there may be.
    'A-505': each('prices', [many(101, (index) => aUnitPrice(`contract.${index}`))]),
    'A-511': each('entitlements', [many(21, (index) => ({ ...ENTITLEMENT, name: `E${index}` }))]),
  },
});

const recurring = (interval_count: number) => ({
  type: 'recurring',
  recurring: { interval: 'month', interval_count },
});

const priceOf = (t: CheckContext, whole: object) => ({
  ...draft(
    t,
    (fields) => ({ prices: [{ ...whole, ...fields }] }),
    ({ prices: [shown] }) => pick(shown, ['name', 'billing_model']),
  ),
  at: 'prices[0]',
  required: ['name', 'billing_model'],
});

export const fixedPrices: Resource = async (owners, t) => ({
  ...priceOf(t, aFixedPrice()),
  apart: ['pricing'],
  kept: [
    { name: long(256), billing_model: recurring(1) },
    { name: 'x', billing_model: recurring(120) },
  ],
  beyond: {
    'A-306': each('name', ['', long(257)]),
    'A-505': [
      ...each('billing_model', [recurring(0), recurring(121)]),
      ...each('pricing', [[{ asset: (await owners.asset()).code, values: [{ unit_price: 1 }] }]]),
    ],
  },
});

export const usagePrices: Resource = async (_, t) => {
  const calculation = { event_type: 'x', usage_type: 'unit_and_volume', volume_field: 'n' };
  return {
    ...priceOf(t, {
      ...aUnitPrice('contract.limits'),
      usage_calculation: { ...calculation, billable_dimensions: ['region'] },
    }),
    kept: each('name', [long(256)]),
    beyond: {
      'A-306': [
        ...each('name', ['', long(257)]),
        ...each('usage_calculation', [
          { ...calculation, event_type: '' },
          { ...calculation, volume_field: '' },
        ]),
      ],
      'A-506': each('pricing', [[], [{ asset: 'USD', values: [] }]]),
    },
  };
};

const NUMBERS = ['unit_price', 'volume_rate', 'package_size', 'quantity'];
const BOUNDS = ['up_to', 'min_amount', 'max_amount'];

/** The first value of a price that needs it. */
const firstValue = (t: CheckContext, priceWith: (value: object) => object) => ({
  ...draft(
    t,
    (fields) => ({ prices: [priceWith(fields)] }),
    ({ prices: [shown] }) => {
      const value = shown?.pricing[0]?.values[0];
      expectPlain(value, [...NUMBERS, ...BOUNDS]);
      return pick(value, ['name', ...NUMBERS, ...BOUNDS]);
    },
  ),
  at: 'prices[0].pricing[0].values[0]',
});

const AMOUNTS = { unit_price: 1, volume_rate: 1 };

export const values: Resource = async (_, t) => ({
  ...firstValue(t, (value) =>
    price('contract.limits', 'unit_and_volume', [{ ...AMOUNTS, ...value }]),
  ),
  required: Object.keys(AMOUNTS),
  presets: { package_size: 1 },
  kept: [
    ...decimals.map((value) => ({
      name: long(256),
      unit_price: value,
      volume_rate: value,
      min_amount: value,
      max_amount: value,
    })),
    { unit_price: 0, volume_rate: 1, package_size: 9007199254740991 },
    { unit_price: 1, volume_rate: 0, package_size: 1 },
  ],
  beyond: {
    'A-303': [
      ...['unit_price', 'volume_rate', 'min_amount', 'max_amount'].flatMap((name) =>
        each(name, [...NO_DECIMALS, -TINY]),
      ),
      ...each('package_size', [9007199254740992, 0, 1.5, -1]),
    ],
    'A-306': each('name', [long(257)]),
  },
});

export const tiers: Resource = async (_, t) => ({
  ...firstValue(t, (row) => ({
    ...price('contract.limits', 'unit_and_volume', [{ ...AMOUNTS, up_to: 1, ...row }, AMOUNTS]),
    pricing_model: 'tiered',
    tiering: { basis: 'volume' },
  })),
  required: ['up_to'],
  kept: each('up_to', decimals),
  beyond: { 'A-303': each('up_to', [...NO_DECIMALS, 0]) },
});

export const quantities: Resource = async (_, t) => ({
  ...firstValue(t, (value) => ({
    ...aFixedPrice(),
    pricing: [{ asset: 'USD', values: [{ unit_price: 1, ...value }] }],
  })),
  kept: each('quantity', [2147483647, 1]),
  beyond: { 'A-506': each('quantity', [2147483648, 0, 1.5, -1]) },
});

const NO_BASES = NO_DECIMALS.flatMap((value) =>
  each('accounting', [{ revenue_basis: value }, { cost_basis: value }]),
);

const lasting = (duration_count: number) => ({ duration: 'month', duration_count });

export const entitlements: Resource = async (owners, t) => ({
  ...draft(
    t,
    (fields) => ({ entitlements: [{ ...ENTITLEMENT, ...fields }] }),
    ({ entitlements: [shown] }) => {
      expectPlain(shown, ['amount']);
      expectPlain(shown?.accounting, ['revenue_basis', 'cost_basis']);
      return pick(shown, ['name', 'amount', 'priority', 'lifecycle', 'accounting']);
    },
  ),
  at: 'entitlements[0]',
  required: ['name', 'amount', 'lifecycle'],
  apart: ['asset'],
  presets: { accounting: { revenue_basis: 0, cost_basis: 'auto' } },
  kept: [
    ...decimals.map((amount) => ({
      name: long(256),
      amount,
      priority: 2147483647,
      lifecycle: lasting(1),
      accounting: { revenue_basis: amount, cost_basis: amount },
    })),
    { amount: TINY, priority: 0, accounting: { revenue_basis: 0, cost_basis: 'auto' } },
  ],
  beyond: {
    'A-303': [...each('amount', NO_DECIMALS), ...NO_BASES],
    // The asset has two decimal places.
    'A-304': [{ amount: 0.005, asset: (await owners.asset()).code }],
    'A-306': each('name', [long(257)]),
    'A-511': [
      ...each('asset', ['CTNOWHERE']),
      ...each('amount', [0]),
      ...each('priority', [-1, 2147483648]),
      ...each('purpose', ['goodwill']),
      ...each('lifecycle', [{ duration: 'decade' }, lasting(0)]),
      ...each('accounting', [{ revenue_basis: -1 }]),
    ],
  },
});
