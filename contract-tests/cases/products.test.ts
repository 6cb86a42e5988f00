import {
  aDraftProduct,
  aFixedPrice,
  aFreshProduct,
  anAsset,
  aProduct,
  api,
  assuming,
  aUnitPrice,
  type Body,
  call,
  check,
  expect,
  type OperationId,
  refused,
  table,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { omit } from './shared/fields.ts';
import { pageOf } from './shared/lists.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';

/** The body of a product with a price per event, and these fields. */
const withFields = (fields: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  prices: [aUnitPrice('contract.call')],
  ...fields,
});

const refuse = (fields: object) => refused('createProduct', { body: withFields(fields) });

check(
  'PRD-01',
  { requirement: ['R-PRD-03', 'R-PRD-15', 'R-PRD-17'], level: 'MUST', effect: 'E3' },
  'create with publish true → 201, version integer, status published, is_default true',
  async () => {
    const body = withFields({ publish: true });
    const made = await useUp('product', () => api('createProduct', { body: body as never }, 201));
    const { code } = body;

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
    await refuse({ code });
    await assuming('A-501', async () => {
      await refuse({ name: undefined });
      await refuse({ code: undefined });
    });
  },
);

check(
  'PRD-17',
  {
    requirement: [
      ...['R-PRD-02', 'R-PRD-04', 'R-PRD-06', 'R-PRD-07', 'R-PRD-09', 'R-PRD-10'],
      ...['R-PRD-11', 'R-PRD-12', 'R-PRD-13', 'R-PRD-14'],
    ],
    level: 'MUST',
    effect: 'E2',
  },
  'create with fixed and usage-based prices and an entitlement → the version shows every field sent, and price ids',
  async (t) => {
    const row = (name: string, model: string, volume_rate: number) => ({
      ...{ name, dimensions: { model }, volume_rate, package_size: 1000 },
    });
    const dimensions = { billable_dimensions: ['model'] };
    const rows = [row('Large', 'large', 10), row('Other', '*', 2)];
    const sent = [aFixedPrice(20), price('contract.call', 'volume', rows, dimensions)];
    const entitlement = {
      ...ENTITLEMENT,
      purpose: 'promotion',
      lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
      accounting: { revenue_basis: 0.5, cost_basis: 'auto' },
    };
    const product = await aDraftProduct(t, { prices: sent, entitlements: [entitlement] });
    const { prices, entitlements } = await versionOf(product, 1);

    expect(prices).toMatchObject(sent);
    for (const { id } of prices) expect(id).toMatch(/^prc_/);
    expect(entitlements).toHaveLength(1);
    expect(entitlements[0]).toMatchObject(entitlement);
  },
);

const FIXED = aFixedPrice() as Readonly<Record<string, unknown>>;
const USAGE = aUnitPrice('c') as Readonly<Record<string, unknown>>;

/** A pricing in USD of one value. */
const valued = (value: object) => [{ asset: 'USD', values: [value] }];

const every = (interval: string, interval_count: number) => ({
  ...FIXED,
  name: `Every ${interval_count} ${interval}`,
  billing_model: { type: 'recurring', recurring: { interval, interval_count } },
});

table<readonly object[]>(
  'PRD-18',
  {
    requirement: ['R-PRD-05', 'R-PRD-08', 'R-PRD-52', 'R-PRD-53', 'R-PRD-54'],
    level: 'ASSUMED',
    effect: 'E1',
    assumes: ['A-505', 'A-506'],
  },
  'a price that cannot be charged, alone and with a valid one → rejected',
  {
    'fixed, with usage_calculation': [
      { ...FIXED, usage_calculation: { event_type: 'c', usage_type: 'unit' } },
    ],
    'fixed, with dimensions': [
      { ...FIXED, pricing: valued({ unit_price: 1, dimensions: { a: 'b' } }) },
    ],
    'fixed, in real time': [{ ...FIXED, billing_model: { type: 'real_time' } }],
    'of an unknown type': [{ ...FIXED, type: 'metered' }],
    'of an unknown interval': [every('decade', 1)],
    'of months of two counts': [every('month', 2), every('month', 3)],
    'of months and a year': [every('month', 12), every('year', 1)],
    'fixed, with an amount next to rows': [
      { ...FIXED, pricing: valued({ unit_price: 1, values: [{ unit_price: 2 }] }) },
    ],
    'usage, with an amount next to rows': [
      { ...USAGE, pricing: valued({ unit_price: 1, values: [{ unit_price: 2 }] }) },
    ],
    'volume, with a rate next to rows': [
      price('c', 'volume', [{ volume_rate: 1, values: [{ volume_rate: 2 }] }]),
    ],
    'usage, by the month': [{ ...USAGE, billing_model: FIXED['billing_model'] }],
    'usage, without usage_calculation': [omit(USAGE, 'usage_calculation')],
    'volume, without volume_field': [
      { ...USAGE, usage_calculation: { event_type: 'c', usage_type: 'volume' } },
    ],
    'usage, without an amount': [{ ...USAGE, pricing: valued({}) }],
  },
  async (prices) => {
    await refuse({ prices });
    await refuse({ prices: [{ ...aUnitPrice('good'), name: 'Good' }, ...prices] });
  },
);

check(
  'PRD-19',
  { requirement: 'R-PRD-52', level: 'ASSUMED', effect: 'E1', assumes: 'A-505' },
  'fixed price in a custom asset → rejected',
  async () => {
    const { code: asset } = await anAsset();
    await refuse({ prices: [{ ...FIXED, pricing: [{ asset, values: [{ unit_price: 1 }] }] }] });
  },
);

check(
  'PRD-28',
  { requirement: 'R-PRD-58', level: 'ASSUMED', effect: 'E1', assumes: 'A-309' },
  'price without each of name, type, billing_model, pricing; entitlement without each of name, asset, amount, purpose, lifecycle → rejected',
  async () => {
    for (const field of ['name', 'type', 'billing_model', 'pricing'])
      await refuse({ prices: [omit(USAGE, field)] });
    for (const field of ['name', 'asset', 'amount', 'purpose', 'lifecycle'])
      await refuse({ entitlements: [omit(ENTITLEMENT, field)] });
  },
);

table<object>(
  'PRD-27',
  { requirement: ['R-PRD-12', 'R-PRD-56'], level: 'ASSUMED', effect: 'E1', assumes: 'A-511' },
  'entitlement with an invalid field → rejected',
  {
    'unknown asset': { asset: 'CTNOWHERE' },
    'amount of 0': { amount: 0 },
    'unknown duration': { lifecycle: { duration: 'decade' } },
    'unknown purpose': { purpose: 'goodwill' },
  },
  async (fields) => {
    await refuse({ entitlements: [{ ...ENTITLEMENT, ...fields }] });
  },
);

check(
  'PRD-69',
  {
    requirement: 'R-PRD-43',
    level: 'ASSUMED',
    effect: 'E2',
    assumes: ['A-204', 'A-501', 'A-511'],
  },
  'product without prices, with an empty list or null, even with credit, and a version or an update of a draft so → 422 that names prices; credit without a lifecycle, or null for it → 422 that names it',
  async (t) => {
    const { id: productId } = await aProduct();
    const draft = { productId: (await aDraftProduct(t)).id, version: '1' };
    const named = async (operation: OperationId, path: object, body: object) =>
      Object.keys((await call(operation, { path, body } as never, [422])).body.errors);
    for (const prices of [undefined, null, []]) {
      const body = { prices, entitlements: [ENTITLEMENT] };
      expect(await named('createProduct', {}, withFields(body))).toEqual(['prices']);
      expect(await named('createProductVersion', { productId }, body)).toEqual(['prices']);
      if (prices !== undefined)
        expect(await named('updateProductVersion', draft, body)).toEqual(['prices']);
    }
    for (const lifecycle of [undefined, null]) {
      const body = withFields({ entitlements: [{ ...ENTITLEMENT, lifecycle }] });
      for (const sent of [
        await named('createProduct', {}, body),
        await named('createProductVersion', { productId }, omit(body, 'code')),
        await named('updateProductVersion', draft, omit(body, 'code')),
      ])
        expect(sent).toEqual(['entitlements[0].lifecycle']);
    }
  },
);

check(
  'PRD-02',
  {
    requirement: [
      ...['R-PRD-16', 'R-PRD-24', 'R-PRD-25', 'R-PRD-26', 'R-PRD-27', 'R-PRD-28'],
      ...['R-PRD-34', 'R-PRD-35', 'R-PRD-50', 'R-VER-03'],
    ],
    level: 'MUST',
    effect: 'E0',
  },
  'list filter code → that product in a page; /products/versions?status=published → only published versions; GET product → its versions; GET by integer and by `default` agree; unknown product or version → 404',
  async () => {
    const { id, code, version } = await aProduct();
    const { items } = await api('listProducts', { query: { code } }, 200);
    const none = await api('listProducts', { query: { code: unique('nowhere') } }, 200);
    const query = { status: 'published', limit: 1000 } as const;
    const published = (await api('listProductVersions', { query }, 200)).items;
    const { versions } = await api('getProduct', { path: { productId: id } }, 200);

    expect(items).toEqual([expect.objectContaining({ id, code })]);
    expect(none.items).toEqual([]);
    expect(new Set(published.map(({ status }) => status))).toEqual(new Set(['published']));
    expect(versions.map((one) => one.version)).toContain(version);
    expect(await versionOf({ id }, version)).toEqual(await versionOf({ id }));
    await api('getProductVersion', { path: { productId: id, version: '31000' } }, 404);
    await api('getProduct', { path: { productId: unknownId('prp') } }, 404);
  },
);

check(
  'PRD-41',
  { requirement: 'R-PRD-50', level: 'ASSUMED', effect: 'E3', assumes: ['A-504', 'A-502'] },
  "four versions, one archived, one a draft, the third the default → newest first with their statuses, in the product and in the list of versions; the default's own prices and entitlements",
  async () => {
    const product = await aFreshProduct();
    const dearer = { prices: [aUnitPrice(product.eventType, 1.5)] };
    await addVersion(product, { ...dearer, publish: true });
    await addVersion(product, { entitlements: [ENTITLEMENT], publish: true, make_default: true });
    await addVersion(product, {});
    const path = { productId: product.id, version: '1' };
    await api('archiveProductVersion', { path }, 204);
    const shown: Body<'getProduct', 200> = await api('getProduct', { path }, 200);
    const { version, prices, entitlements } = await versionOf(product);
    const states = shown.versions.map((one) => `${one.version} ${one.status}`);
    const moments = shown.versions.map(({ created_at }) => created_at);

    expect(states).toEqual(['4 draft', '3 published', '2 published', '1 archived']);
    expect(moments).toEqual([...moments].sort().reverse());
    const { items } = await pageOf({ list: 'listProductVersions' }, { limit: 1000 });
    const { id, code } = product;
    expect(items.filter((item) => item['id'] === id)).toEqual(
      shown.versions.map((each) => ({
        ...{ id, code, name: 'Contract fresh', version: each.version, status: each.status },
        is_default: each.version === 3,
      })),
    );
    expect(version).toBe(3);
    expect(shown.default_version).toEqual({ version, prices, entitlements });
  },
);
