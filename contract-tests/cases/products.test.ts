import {
  aFixedPrice,
  aFreshProduct,
  aProduct,
  api,
  aSubscriber,
  aUnitPrice,
  type Body,
  call,
  check,
  expect,
  table,
  unique,
  unknownId,
  usageEvent,
} from '../kit/index.ts';
import { statsOf } from './shared/customers.ts';
import { price } from './shared/events.ts';
import { each, expectNamed, omit, SHARED_OBJECTS } from './shared/fields.ts';
import { pageOf } from './shared/lists.ts';
import { addVersion, versionOf } from './shared/products.ts';
import { products } from './shared/rows/products.ts';

/** The body of a product with a price per event, and these fields. */
const withFields = (fields: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  prices: [aUnitPrice('contract.call')],
  ...fields,
});

const FIXED = aFixedPrice() as Readonly<Record<string, unknown>>;
const USAGE = aUnitPrice('c') as Readonly<Record<string, unknown>>;

/** A pricing in USD of one value. */
const valued = (value: object) => [{ asset: 'USD', values: [value] }];

const [ONE, OTHER] = [{ unit_price: 1 }, { asset: 'EUR', values: [{ unit_price: 2 }] }];
const THREE = [...valued(ONE), OTHER, ...valued(ONE)];

const every = (interval: string, interval_count: number) => ({
  ...FIXED,
  name: `Every ${interval_count} ${interval}`,
  billing_model: { type: 'recurring', recurring: { interval, interval_count } },
});

table<readonly object[]>(
  'PRD-18',
  {
    requirement: 'R-PRD-05 R-PRD-08 R-PRD-52 R-PRD-53 R-PRD-54 R-PRD-58',
    effect: 'E1',
    assumes: 'A-309 A-204 A-505 A-506',
  },
  'a price that cannot be charged, alone and on both sides of a valid one → 422 that names each, and no product',
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
    'usage, with an asset twice': [
      { ...USAGE, pricing: [...valued({ unit_price: 1 }), ...valued({ unit_price: 2 })] },
    ],
    'usage, with an asset again after another': [{ ...USAGE, pricing: THREE }],
    'usage, with a dimension that is not billable, of any value': [
      { ...USAGE, pricing: valued({ unit_price: 1, dimensions: { a: '*' } }) },
    ],
  },
  async (prices, t) => {
    const good = { ...aUnitPrice('good'), name: 'Good' };
    const fields = await products(SHARED_OBJECTS, t);
    await expectNamed(fields, each('prices', [prices]));
    const body = withFields({ prices: [...prices, good, ...prices] });
    const places = Object.keys((await call('createProduct', { body }, [422])).body.errors);
    expect((await api('listProducts', { query: { code: body.code } }, 200)).items).toEqual([]);
    for (const index of [prices.length - 1, 2 * prices.length])
      expect(places.filter((place) => place.startsWith(`prices[${index}]`))).not.toEqual([]);
  },
);

check(
  'PRD-02',
  {
    requirement:
      'R-PRD-16 R-PRD-24 R-PRD-25 R-PRD-26 R-PRD-27 R-PRD-28 R-PRD-34 R-PRD-35 R-PRD-50 R-VER-03',
    effect: 'E0',
  },
  'products by code → that product in a page; /products/versions?status=published → only published versions; GET product → its versions; GET by integer and by `default` agree; unknown product or version → 404',
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
  { requirement: 'R-PRD-44 R-PRD-48 R-PRD-50', effect: 'E3', assumes: 'A-502 A-504' },
  'eleven versions, one archived, one a draft, one published last, the third the default → highest number first, with their statuses, in the product and in the list of versions; when the default is archived, the highest published number is the default, not the last one in the order of characters or of publication',
  async () => {
    const product = await aFreshProduct();
    const dearer = { prices: [aUnitPrice(product.eventType, 1.5)] };
    for (let version = 2; version <= 11; version += 1)
      await addVersion(product, {
        ...dearer,
        publish: version !== 9 && version < 11,
        make_default: version === 3,
      });
    const late = { productId: product.id, version: '9' };
    await api('updateProductVersion', { path: late, body: { publish: true } }, 204);
    const path = { productId: product.id, version: '1' };
    await api('archiveProductVersion', { path }, 204);
    const shown: Body<'getProduct', 200> = await api('getProduct', { path }, 200);
    const states = shown.versions.map((one) => `${one.version} ${one.status}`);
    const moments = shown.versions.map(({ created_at }) => created_at);

    const published = [10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `${number} published`);
    expect(states).toEqual(['11 draft', ...published, '1 archived']);
    expect(moments).toEqual([...moments].sort().reverse());
    const { items } = await pageOf({ list: 'listProductVersions' }, { limit: 1000 });
    const { id, code } = product;
    expect(items.filter((item) => item['id'] === id)).toEqual(
      shown.versions.map((each) => ({
        id,
        code,
        name: 'Contract fresh',
        version: each.version,
        status: each.status,
        is_default: each.version === 3,
      })),
    );
    await api('archiveProductVersion', { path: { ...path, version: '3' } }, 204);
    expect((await versionOf(product)).version).toBe(10);
  },
);

check(
  'PRD-11',
  { requirement: 'R-PRD-39 R-PRD-40', effect: 'E1' },
  'a simulation of usage → 200; wallet, events and stats are unchanged',
  async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const seen = async () => [
      await api('getWallet', { path: { customerId: customer.id } }, 200),
      await statsOf(customer),
    ];
    const before = await seen();
    const body = { customer_id: customer.id, events: [event] } as never;
    await api('simulateUsage', { path, body }, 200);

    expect(await seen()).toEqual(before);
    await api('getEvent', { path: { eventId: event.id } }, 404);
  },
);
