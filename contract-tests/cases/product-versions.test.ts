import {
  aDraftProduct,
  aFixedPrice,
  aFreshProduct,
  aProduct,
  api,
  aUnitPrice,
  call,
  check,
  expect,
  type OwnProduct,
  refused,
  table,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { price } from './shared/events.ts';
import { omit } from './shared/fields.ts';
import { pageOf } from './shared/lists.ts';
import { archiveVersion, ENTITLEMENT, patchVersion, versionOf } from './shared/products.ts';

table(
  'PRD-13',
  { requirement: 'R-PRD-42', effect: 'E1' },
  'a version that is neither a number of 16 bits nor `default` → 404, 400 or 422, never 200',
  { word: 'abc', 'number beyond int16': '40000', negative: '-1', fraction: '1.5' },
  async (version) => {
    const path = { productId: (await aProduct()).id, version };
    const statuses = [404, 400, 422];
    await call('getProductVersion', { path }, statuses);
    await refused('updateProductVersion', { path, body: { name: 'Contract' } }, statuses);
    await refused('archiveProductVersion', { path }, statuses);
    await refused('simulateUsage', { path, body: { events: [usageEvent('c')] } }, statuses);
  },
);

const costs = (amount: number) => [aUnitPrice('contract.moved', amount)];
const credit = (amount: number) => [{ ...ENTITLEMENT, amount }];

/** A change of a version, or a new one; then all versions, the default in brackets, or the status of a rejection. */
type Move = readonly [of: string, body: object, then: string | number];

/** A new product, the moves of its versions, and the name, price and credit that each version has in the end. */
interface Moved {
  readonly publish: boolean;
  readonly moves: readonly Move[];
  readonly contents: readonly (readonly [
    name: string,
    amount: number,
    credit: number | undefined,
  ])[];
}

table<Moved>(
  'PRD-71',
  {
    requirement:
      'R-ERR-05 R-PRD-03 R-PRD-15 R-PRD-17 R-PRD-19 R-PRD-20 R-PRD-31 R-PRD-36 R-PRD-38 R-PRD-45 R-PRD-46 R-PRD-47 R-PRD-48 R-PRD-50 R-VER-02 R-VER-05',
    effect: 'E3',
    assumes: 'A-501 A-502 A-504',
  },
  'versions added, updated, published, made the default and archived → 201 or 204, and names, statuses, prices, entitlements and the default as they follow; 409 without a body for what is no draft, 422 for a draft as the default, and nothing changes',
  {
    'a published product': {
      publish: true,
      moves: [
        ['update 1', { name: 'Pro' }, 409],
        ['update 1', { prices: costs(1) }, 409],
        ['update 1', { publish: false }, 409],
        ['add', { make_default: true }, 422],
        ['add', { name: 'Plus' }, '(1 published), 2 draft'],
        ['update 2', { make_default: true }, 422],
        ['update 2', { prices: costs(2), entitlements: credit(5) }, '(1 published), 2 draft'],
        ['update 2', { publish: true }, '(1 published), 2 published'],
        ['add', { publish: true, make_default: true }, '1 published, 2 published, (3 published)'],
        ['archive 3', {}, '1 published, (2 published), 3 archived'],
        ['archive 1', {}, '1 archived, (2 published), 3 archived'],
        ['archive 2', {}, '1 archived, 2 archived, 3 archived'],
        ['add', {}, '1 archived, 2 archived, 3 archived, 4 draft'],
        ['update 2', { name: 'Pro' }, 409],
        [
          ...(['update 4', { publish: true, entitlements: [] }] as const),
          '1 archived, 2 archived, 3 archived, (4 published)',
        ],
      ],
      contents: [
        ['Contract', 9, undefined],
        ['Plus', 2, 5],
        ['Plus', 4, 5],
        ['Plus', 4, undefined],
      ],
    },
    'a draft': {
      publish: false,
      moves: [
        ['update default', { entitlements: credit(5) }, '(1 draft)'],
        ['add', { name: 'Plus', prices: costs(3) }, '(1 draft), 2 draft'],
        ['add', { entitlements: null }, '(1 draft), 2 draft, 3 draft'],
        ['update 2', { entitlements: null }, '(1 draft), 2 draft, 3 draft'],
        ['update 3', { name: 'Pro', publish: true }, '1 draft, 2 draft, (3 published)'],
        ['update 1', { publish: true }, '1 published, 2 draft, (3 published)'],
        ['update 1', { make_default: true }, '(1 published), 2 draft, 3 published'],
        ['archive 2', {}, '(1 published), 2 archived, 3 published'],
        ['add', {}, '(1 published), 2 archived, 3 published, 4 draft'],
        ['archive 1', {}, '1 archived, 2 archived, (3 published), 4 draft'],
        ['archive 3', {}, '1 archived, 2 archived, 3 archived, 4 draft'],
      ],
      contents: [
        ['Contract', 9, 5],
        ['Plus', 3, undefined],
        ['Pro', 4, 5],
        ['Pro', 4, 5],
      ],
    },
  },
  async ({ publish, moves, contents }) => {
    const created = { name: 'Contract', code: unique('moved'), prices: costs(9), publish };
    const product = await api('createProduct', { body: created as never }, 201);
    const status = publish ? 'published' : 'draft';
    const first = { code: created.code, version: 1, status, is_default: true };
    expect(product, 'as created').toMatchObject(first);
    const path = { productId: product.id };
    const states = async () => {
      const { versions, default_version } = await api('getProduct', { path }, 200);
      const shown = versions.map(({ version, status }) =>
        version === default_version?.version ? `(${version} ${status})` : `${version} ${status}`,
      );
      return shown.reverse().join(', ');
    };
    for (const [of, body, then] of moves) {
      const [move, version = ''] = of.split(' ');
      const isRejected = typeof then === 'number';
      if (move === 'archive') await archiveVersion(product, version);
      else if (move === 'update') {
        const { text } = await patchVersion(product, version, body, isRejected ? then : 204);
        if (then !== 422) expect(text, of).toBe('');
      } else {
        const parts = { path, body: { prices: costs(4), ...body } };
        await call('createProductVersion', parts, [isRejected ? then : 201]);
      }
      if (!isRejected) expect(await states(), `${of} ${JSON.stringify(body)}`).toBe(then);
    }
    const { items } = await pageOf({ list: 'listProductVersions' }, { limit: 1000 });
    const listed = items.filter(({ id }) => id === product.id).reverse();
    for (const [index, [name, amount, given]] of contents.entries()) {
      const shown = await versionOf(product, index + 1);
      expect(shown.name).toBe(name);
      expect(shown.prices[0]?.pricing[0]?.values[0]?.unit_price, `price of ${index + 1}`).toBe(
        amount,
      );
      expect(shown.entitlements?.[0]?.amount, `credit of ${index + 1}`).toBe(given);
      // What the list shows of a version is what the version itself shows.
      expect(shown).toMatchObject(listed[index] as object);
    }
  },
);

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
