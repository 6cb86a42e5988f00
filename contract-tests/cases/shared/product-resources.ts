import { aFixedPrice, aUnitPrice, unique } from '../../kit/index.ts';
import { price } from './events.ts';
import { each, type Fields } from './fields.ts';
import { entitlement, priceIn, product, valueIn } from './product-kinds.ts';
import { ENTITLEMENT } from './products.ts';
import { decimals, type Resource } from './resources.ts';
import { long, NO_DECIMALS, TINY } from './values.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

export const products: Resource = async (_, t) => ({
  kind: product(t),
  kept: [
    { name: long(256), description: long(1024) },
    { name: 'x', code: unique('code').padEnd(64, '0') },
  ],
  beyond: {
    'A-306': [...each('name', [long(257)]), ...each('description', [long(1025)])],
    'A-501': [
      ...each('name', [undefined]),
      ...each('code', [undefined, unique('code').padEnd(65, '0'), '', '-code', 'co de', 'cöde']),
    ],
    // Another check has as many entitlements and prices as there may be.
    'A-505': each('prices', [many(101, (index) => aUnitPrice(`contract.${index}`))]),
    'A-511': each('entitlements', [many(21, (index) => ({ ...ENTITLEMENT, name: `E${index}` }))]),
  },
});

const calculation = {
  event_type: 'contract.limits',
  usage_type: 'unit_and_volume',
  volume_field: 'n',
};
const recurring = (interval_count: number) => ({
  type: 'recurring',
  recurring: { interval: 'month', interval_count },
});

export const prices: Resource = async (_, t) => ({
  kind: priceIn(t, aFixedPrice()),
  kept: [
    { name: long(256), billing_model: recurring(1) },
    { name: 'x', billing_model: recurring(120) },
  ],
  beyond: {
    'A-306': each('name', ['', long(257)]),
    'A-505': each('billing_model', [recurring(0), recurring(121)]),
    'A-309': ['name', 'type', 'billing_model', 'pricing'].flatMap((name) =>
      each(name, [undefined]),
    ),
  },
});

export const usagePrices: Resource = async (_, t) => ({
  kind: priceIn(t, aUnitPrice('contract.limits')),
  kept: [{ name: long(256) }],
  beyond: {
    'A-306': [
      ...each('name', ['', long(257)]),
      ...each('usage_calculation', [
        { ...calculation, event_type: '' },
        { ...calculation, volume_field: '' },
      ]),
    ],
    'A-506': each('pricing', [[], [{ asset: 'USD', values: [] }]]),
    'A-309': ['name', 'type', 'billing_model', 'pricing'].flatMap((name) =>
      each(name, [undefined]),
    ),
  },
});

const AMOUNTS = { unit_price: 1, volume_rate: 1 };

const flat = (value: object) =>
  price('contract.limits', 'unit_and_volume', [{ ...AMOUNTS, ...value }]);

export const values: Resource = async (_, t) => ({
  kind: { ...valueIn(t, flat), required: Object.keys(AMOUNTS), presets: { package_size: 1 } },
  kept: [
    ...decimals.map((value) => ({
      ...{ name: long(256), unit_price: value, volume_rate: value },
      ...{ min_amount: value, max_amount: value },
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

const tiered = (row: object) => ({
  ...price('contract.limits', 'unit_and_volume', [{ ...AMOUNTS, up_to: 1, ...row }, AMOUNTS]),
  ...{ pricing_model: 'tiered', tiering: { basis: 'volume' } },
});

export const tiers: Resource = async (_, t) => ({
  kind: { ...valueIn(t, tiered), required: ['up_to'] },
  kept: decimals.map((up_to) => ({ up_to })),
  beyond: { 'A-303': each('up_to', [...NO_DECIMALS, 0]) },
});

const seats = (value: object) => ({
  ...aFixedPrice(),
  pricing: [{ asset: 'USD', values: [{ unit_price: 1, ...value }] }],
});

export const quantities: Resource = async (_, t) => ({
  kind: valueIn(t, seats),
  kept: each('quantity', [2147483647, 1]),
  beyond: { 'A-506': each('quantity', [2147483648, 0, 1.5, -1]) },
});

const lasting = (duration_count: number) => ({ duration: 'month', duration_count });

export const entitlements: Resource = async (_, t) => ({
  kind: entitlement(t),
  kept: [
    ...decimals.map((amount) => ({
      ...{ name: long(256), amount, priority: 2147483647, lifecycle: lasting(1) },
      accounting: { revenue_basis: amount, cost_basis: amount },
    })),
    { amount: TINY, priority: 0, accounting: { revenue_basis: 0, cost_basis: 'auto' } },
  ],
  beyond: {
    'A-303': [
      ...each('amount', NO_DECIMALS),
      ...each(
        'accounting',
        NO_DECIMALS.flatMap((value): Fields[] => [{ revenue_basis: value }, { cost_basis: value }]),
      ),
    ],
    'A-306': each('name', [long(257)]),
    'A-511': [
      ...each('asset', ['CTNOWHERE']),
      ...each('amount', [0]),
      ...each('priority', [-1, 2147483648]),
      ...each('purpose', ['goodwill']),
      ...each('lifecycle', [{ duration: 'decade' }, lasting(0)]),
      ...each('accounting', [{ revenue_basis: -1 }]),
    ],
    'A-309': Object.keys(ENTITLEMENT).flatMap((name) => each(name, [undefined])),
  },
});
