import {
  aDraftProduct,
  aFixedPrice,
  anAsset,
  aProduct,
  api,
  assuming,
  aUnitPrice,
  check,
  describe,
  expect,
  refused,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { ENTITLEMENT, versionOf } from './shared/products.ts';

/** A product body with one price or entitlement changed. */
const withPrice = (changes: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  prices: [{ ...aUnitPrice('contract.call'), ...changes }],
});

const withEntitlement = (changes: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  prices: [aUnitPrice('contract.call')],
  entitlements: [{ ...ENTITLEMENT, ...changes }],
});

function refuse(body: object) {
  return refused('createProduct', { body });
}

describe('createProduct', () => {
  check(
    'PRD-01',
    { requirement: ['R-PRD-03', 'R-PRD-15', 'R-PRD-17'], level: 'MUST', effect: 'E3' },
    'create with publish true → 201, version integer, status published, is_default true',
    async () => {
      const code = unique('product');
      const prices = [aUnitPrice('contract.call')];
      const body = { name: 'Contract new', code, prices, publish: true } as never;
      const made = await useUp('product', () => api('createProduct', { body }, 201));

      expect(made).toMatchObject({ code, version: 1, status: 'published', is_default: true });
      expect(made.id).toMatch(/^prp_/);
    },
  );

  check(
    'PRD-16',
    { requirement: ['R-PRD-01', 'R-PRD-43'], level: 'MUST', effect: 'E1', assumes: 'A-501' },
    'create without name, without code, with a used code → rejected',
    async () => {
      const { code } = await aProduct();
      const whole = { name: 'Contract', code: unique('refused'), prices: [aUnitPrice('c')] };
      await refuse({ ...whole, code });
      await assuming('A-501', async () => {
        await refuse(omit(whole, 'name'));
        await refuse(omit(whole, 'code'));
      });
    },
  );

  check(
    'PRD-17',
    {
      requirement: ['R-PRD-02', 'R-PRD-04', 'R-PRD-06', 'R-PRD-07', 'R-PRD-09', 'R-PRD-10'],
      level: 'MUST',
      effect: 'E2',
    },
    'create with fixed and usage-based prices → version shows every field sent, and price ids',
    async (t) => {
      const volume = {
        name: 'Tokens',
        type: 'usage_based',
        billing_model: { type: 'real_time' },
        usage_calculation: {
          event_type: 'contract.call',
          usage_type: 'volume',
          volume_field: 'tokens',
          billable_dimensions: ['model'],
        },
        pricing: [
          {
            asset: 'USD',
            values: [
              {
                name: 'Large',
                dimensions: { model: 'large' },
                volume_rate: 10,
                package_size: 1000,
              },
              { name: 'Other', dimensions: { model: '*' }, volume_rate: 2, package_size: 1000 },
            ],
          },
        ],
      };
      const product = await aDraftProduct(t, { prices: [aFixedPrice(20), volume] });
      const { prices } = await versionOf(product, 1);

      expect(prices).toHaveLength(2);
      expect(prices[0]).toMatchObject(aFixedPrice(20));
      expect(prices[1]).toMatchObject(volume);
      for (const { id } of prices) expect(id).toMatch(/^prc_/);
    },
  );

  check(
    'PRD-18',
    { requirement: ['R-PRD-05', 'R-PRD-52'], level: 'ASSUMED', effect: 'E1', assumes: 'A-505' },
    'fixed price with usage_calculation, with dimensions, in a custom asset; unknown type or interval → rejected',
    async () => {
      const { code: custom } = await anAsset();
      const calculation = { event_type: 'c', usage_type: 'unit' };
      const fixed = (changes: object) => refuse(withPrice({ ...aFixedPrice(), ...changes }));
      const value = { unit_price: 1, dimensions: { a: 'b' } };
      await refuse({
        ...withPrice({}),
        prices: [{ ...aFixedPrice(), usage_calculation: calculation }],
      });
      await refuse({
        ...withPrice({}),
        prices: [{ ...aFixedPrice(), pricing: [{ asset: 'USD', values: [value] }] }],
      });
      await refuse({
        ...withPrice({}),
        prices: [{ ...aFixedPrice(), pricing: [{ asset: custom, values: [{ unit_price: 1 }] }] }],
      });
      await fixed({ type: 'metered' });
      await fixed({ billing_model: { type: 'recurring', recurring: { interval: 'decade' } } });
    },
  );

  check(
    'PRD-19',
    { requirement: ['R-PRD-08', 'R-PRD-53'], level: 'ASSUMED', effect: 'E1', assumes: 'A-505' },
    'usage-based price without usage_calculation, without volume_field for volume, with no amount → rejected',
    async () => {
      const volume = { event_type: 'c', usage_type: 'volume' };
      await refuse({ ...withPrice({}), prices: [omit(aUnitPrice('c'), 'usage_calculation')] });
      await refuse(withPrice({ usage_calculation: volume }));
      await refuse(withPrice({ pricing: [{ asset: 'USD', values: [{}] }] }));
    },
  );

  check(
    'PRD-20',
    { requirement: ['R-PRD-11', 'R-PRD-12', 'R-PRD-13', 'R-PRD-14'], level: 'MUST', effect: 'E2' },
    'create with an entitlement → version shows purpose, lifecycle and accounting; other purpose rejected',
    async (t) => {
      const entitlement = {
        ...ENTITLEMENT,
        purpose: 'promotion',
        lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
        accounting: { revenue_basis: 0.5, cost_basis: 'auto' },
      };
      const product = await aDraftProduct(t, { entitlements: [entitlement] });
      const { entitlements } = await versionOf(product, 1);

      expect(entitlements).toEqual([expect.objectContaining(omit(entitlement, 'lifecycle'))]);
      expect(entitlements[0]?.lifecycle).toMatchObject(entitlement.lifecycle);
      await refuse(withEntitlement({ purpose: 'goodwill' }));
    },
  );

  check(
    'PRD-25',
    { requirement: 'R-PRD-54', level: 'ASSUMED', effect: 'E2', assumes: 'A-506' },
    'value with a nested one-element values array → accepted, returned as it was sent',
    async (t) => {
      const nested = { name: 'Nested', values: [{ unit_price: 0.5 }] };
      const price = { ...aUnitPrice('c'), pricing: [{ asset: 'USD', values: [nested] }] };
      const product = await aDraftProduct(t, { prices: [price] });
      const { prices } = await versionOf(product, 1);

      expect(prices[0]?.pricing[0]?.values).toEqual([nested]);
    },
  );

  check(
    'PRD-27',
    { requirement: 'R-PRD-56', level: 'ASSUMED', effect: 'E1', assumes: 'A-511' },
    'entitlement of an unknown asset, of amount 0, of an unknown duration → rejected',
    async () => {
      await refuse(withEntitlement({ asset: 'CTNOWHERE' }));
      await refuse(withEntitlement({ amount: 0 }));
      await refuse(withEntitlement({ lifecycle: { duration: 'decade' } }));
    },
  );

  check(
    'PRD-28',
    { requirement: 'R-PRD-58', level: 'ASSUMED', effect: 'E1', assumes: 'A-309' },
    'price without each of name, type, billing_model, pricing; entitlement without each of name, asset, amount, purpose, lifecycle → rejected',
    async () => {
      for (const field of ['name', 'type', 'billing_model', 'pricing'])
        await refuse({ ...withPrice({}), prices: [omit(aUnitPrice('c'), field)] });
      for (const field of ['name', 'asset', 'amount', 'purpose', 'lifecycle'])
        await refuse({ ...withEntitlement({}), entitlements: [omit(ENTITLEMENT, field)] });
    },
  );
});

describe('product fields beyond the specification', () => {
  check(
    'PRD-39',
    {
      requirement: ['R-PRD-50', 'R-PRD-52'],
      level: 'ASSUMED',
      effect: 'E2',
      assumes: ['A-1506', 'A-1510', 'A-511', 'A-1508'],
    },
    'fixed price with interval_count and quantities, one-time price with a service_period, aggregations, priorities → shown as sent',
    async (t) => {
      const values = [
        { unit_price: 2, quantity: 3 },
        { name: 'Seat', unit_price: 1, quantity: 1 },
      ];
      const prices = [
        {
          ...aFixedPrice(),
          billing_model: { type: 'recurring', recurring: { interval: 'month', interval_count: 3 } },
          pricing: [{ asset: 'USD', values }],
        },
        {
          ...aFixedPrice(),
          name: 'Once',
          billing_model: {
            type: 'one_time',
            one_time: { service_period: { duration: 'year', parts: [1, 2.5, 'three', null] } },
          },
        },
        {
          ...aUnitPrice('c'),
          usage_calculation: {
            event_type: 'c',
            usage_type: 'unit',
            unit_aggregation: 'count',
            volume_aggregation: 'sum',
          },
        },
      ];
      const entitlement = { ...ENTITLEMENT, priority: 4 };
      const product = await aDraftProduct(t, { prices, entitlements: [entitlement] });
      const shown = await versionOf(product, 1);

      for (const [index, sent] of prices.entries()) expect(shown.prices[index]).toMatchObject(sent);
      expect(shown.entitlements).toEqual([expect.objectContaining({ priority: 4 })]);
    },
  );
});

describe('listProducts', () => {
  check(
    'PRD-02',
    { requirement: ['R-PRD-24', 'R-PRD-25'], level: 'MUST', effect: 'E0' },
    'list filter code → that product in a page',
    async () => {
      const { id, code } = await aProduct();
      const { items } = await api('listProducts', { query: { code } }, 200);
      const none = await api('listProducts', { query: { code: unique('nowhere') } }, 200);

      expect(items).toEqual([expect.objectContaining({ id, code })]);
      expect(none.items).toEqual([]);
    },
  );
});

describe('listProductVersions', () => {
  check(
    'PRD-10',
    { requirement: ['R-PRD-26', 'R-PRD-27', 'R-PRD-50'], level: 'MUST', effect: 'E0' },
    '/products/versions?status=published → only published versions',
    async () => {
      await aProduct();
      const query = { status: 'published', limit: 1000 } as const;
      const { items } = await api('listProductVersions', { query }, 200);

      expect(items.length).toBeGreaterThan(0);
      expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['published']));
    },
  );
});

describe('getProduct', () => {
  check(
    'PRD-03',
    {
      requirement: ['R-PRD-16', 'R-PRD-28', 'R-PRD-34', 'R-PRD-35', 'R-PRD-50', 'R-VER-03'],
      level: 'MUST',
      effect: 'E0',
    },
    'GET product → its versions; GET by integer and by `default` agree; unknown version → 404',
    async () => {
      const { id, version } = await aProduct();
      const product = await api('getProduct', { path: { productId: id } }, 200);

      expect(product.versions.map((one) => one.version)).toContain(version);
      expect(await versionOf({ id }, version)).toEqual(await versionOf({ id }));
      await api('getProductVersion', { path: { productId: id, version: '31000' } }, 404);
      await api('getProduct', { path: { productId: unknownId('prp') } }, 404);
    },
  );
});
