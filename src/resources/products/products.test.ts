import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';

const TOKENS = {
  name: 'Tokens',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: {
    event_type: 'llm.completion',
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
          values: [{ volume_rate: 10, package_size: 1_000_000 }],
        },
        { dimensions: { model: '*' }, values: [{ volume_rate: 0.0000000001 }] },
      ],
    },
  ],
};

const IMAGES = {
  name: 'Images',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.5 }] }],
};

const MONTHLY_FEE = {
  name: 'Monthly fee',
  type: 'fixed',
  billing_model: { type: 'recurring', recurring: { interval: 'month' } },
  pricing: [{ asset: 'USD', values: [{ unit_price: 49 }] }],
};

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

async function aProduct(body: object = {}): Promise<string> {
  const product = { name: 'Studio', code: 'studio', prices: [IMAGES], publish: true, ...body };
  return (await client.api('createProduct', { body: product }, 201)).id;
}

async function errorsOf(body: object): Promise<unknown> {
  return (await client.api('createProduct', { body }, 422)).errors;
}

describe('createProduct', () => {
  it('answers a first version that is default, published only if asked', async () => {
    const draft = { name: 'Studio', code: 'studio', prices: [IMAGES] };
    const published = { ...draft, code: 'Studio.2', publish: true };

    expect(await client.api('createProduct', { body: draft }, 201)).toEqual({
      id: expect.stringMatching(/^prp_[0-9a-z]{26}$/),
      code: 'studio',
      version: 1,
      status: 'draft',
      is_default: true,
    });
    expect(await client.api('createProduct', { body: published }, 201)).toMatchObject({
      code: 'Studio.2',
      status: 'published',
      is_default: true,
    });
  });

  it('keeps prices in the nesting that was sent, exactly', async () => {
    const productId = await aProduct({ prices: [MONTHLY_FEE, TOKENS], description: 'All of it' });

    const version = await client.api('getProductVersion', { path: { productId, version: 1 } }, 200);

    expect(version).toEqual({
      id: productId,
      code: 'studio',
      name: 'Studio',
      version: 1,
      status: 'published',
      is_default: true,
      entitlements: [],
      prices: [
        { id: expect.stringMatching(/^prc_[0-9a-z]{26}$/), ...MONTHLY_FEE },
        {
          id: expect.stringMatching(/^prc_[0-9a-z]{26}$/),
          ...TOKENS,
          pricing: [
            {
              asset: 'USD',
              values: [
                {
                  name: 'Large',
                  dimensions: { model: 'large' },
                  values: [{ volume_rate: 10, package_size: 1_000_000 }],
                },
                {
                  dimensions: { model: '*' },
                  values: [{ volume_rate: 0.0000000001, package_size: 1 }],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('answers a small rate in plain notation', async () => {
    const productId = await aProduct({ prices: [TOKENS] });

    const { text } = await client.send('getProductVersion', { path: { productId, version: 1 } });

    expect(text).toContain('"volume_rate":0.0000000001');
  });

  it('fills in what an entitlement leaves out', async () => {
    await client.api(
      'createAsset',
      { body: { code: 'CREDIT', name: 'Credits', precision: 2 } },
      201,
    );
    const entitlements = [
      { name: 'Welcome', asset: 'CREDIT', amount: 12.25, purpose: 'promotion' },
      {
        name: 'Monthly',
        asset: 'USD',
        amount: 5,
        purpose: 'bundled',
        lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
        accounting: { revenue_basis: 0.01, cost_basis: 0.001 },
      },
    ];
    const productId = await aProduct({ prices: null, entitlements });

    const version = await client.api('getProductVersion', { path: { productId, version: 1 } }, 200);

    expect(version.prices).toEqual([]);
    expect(version.entitlements).toEqual([
      { ...entitlements[0], accounting: { revenue_basis: 0, cost_basis: 'auto' } },
      {
        ...entitlements[1],
        lifecycle: {
          duration: 'month',
          refresh: { strategy: 'expire_and_replace' },
        },
      },
    ]);
  });

  it('refuses a code that is taken, and finds every other fault with it', async () => {
    await aProduct();
    const gold = { ...IMAGES, pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }] };
    const entitlements = [{ name: 'Gold', asset: 'GOLD', amount: 1, purpose: 'bundled' }];

    const errors = await errorsOf({ name: 'Other', code: 'studio', prices: [gold], entitlements });

    expect(errors).toEqual({
      code: ['Another product has this code already.'],
      'prices[0].pricing[0].asset': ['No asset or currency has this code.'],
      'entitlements[0].asset': ['No asset or currency has this code.'],
    });
  });

  it('refuses a product without prices and entitlements', async () => {
    expect(await errorsOf({ name: 'Empty', code: 'empty' })).toEqual({
      prices: ['A version needs at least one price or entitlement.'],
    });
  });

  it('refuses entitlement amounts finer than their custom asset', async () => {
    await client.api(
      'createAsset',
      { body: { code: 'CREDIT', name: 'Credits', precision: 0 } },
      201,
    );
    const entitlements = [{ name: 'Half', asset: 'CREDIT', amount: 0.5, purpose: 'bundled' }];

    expect(await errorsOf({ name: 'Half', code: 'half', entitlements })).toEqual({
      'entitlements[0].amount': [expect.stringContaining('more decimals')],
    });
  });

  it('names the nested field at fault', async () => {
    const values = [
      { values: [{ unit_price: 1 }] },
      { values: [{ unit_price: 1, package_size: 2 }] },
    ];
    const prices = [{ ...IMAGES, pricing: [{ asset: 'USD', values }] }];

    expect(Object.keys((await errorsOf({ name: 'S', code: 's', prices })) as object)).toEqual([
      'prices[0].pricing[0].values[1].values[0].package_size',
    ]);
  });

  it.each([
    ['a price id', { prices: [{ ...IMAGES, id: 'prc_mine' }] }, 'prices[0].id'],
    ['a malformed code', { code: '.studio' }, 'code'],
    [
      'a negative price',
      { prices: [{ ...IMAGES, pricing: [{ asset: 'USD', values: [{ unit_price: -1 }] }] }] },
      'prices[0].pricing[0].values[0].unit_price',
    ],
    [
      'an entitlement of nothing',
      { entitlements: [{ name: 'None', asset: 'USD', amount: 0, purpose: 'bundled' }] },
      'entitlements[0].amount',
    ],
  ])('refuses %s', async (_, fault, field) => {
    const errors = await errorsOf({ name: 'Studio', code: 'studio', prices: [IMAGES], ...fault });

    expect(Object.keys(errors as object)).toEqual([field]);
  });
});

describe('listProducts', () => {
  it('lists newest first under the name of the default version', async () => {
    const studio = await aProduct();
    const assistant = await aProduct({ code: 'assistant', name: 'Assistant', description: 'Chat' });
    await client.api(
      'createProductVersion',
      { path: { productId: studio }, body: { name: 'Studio 2', publish: true } },
      201,
    );

    expect(await client.api('listProducts', {}, 200)).toEqual({
      items: [
        {
          id: assistant,
          code: 'assistant',
          name: 'Assistant',
        },
        {
          id: studio,
          code: 'studio',
          name: 'Studio',
        },
      ],
      total_count: 2,
      limit: 100,
      offset: 0,
    });
  });

  it('pages and filters by code', async () => {
    await aProduct();
    await aProduct({ code: 'assistant' });

    const second = await client.api('listProducts', { query: { limit: 1, offset: 1 } }, 200);
    const found = await client.api('listProducts', { query: { code: 'assistant' } }, 200);
    const none = await client.api('listProducts', { query: { code: 'Assistant' } }, 200);

    expect([second.total_count, second.items[0].code]).toEqual([2, 'studio']);
    expect([found.total_count, found.items[0].code]).toEqual([1, 'assistant']);
    expect([none.total_count, none.items]).toEqual([0, []]);
  });
});

describe('getProduct', () => {
  it('answers the product with its versions, newest first', async () => {
    const productId = await aProduct();
    await client.api('createProductVersion', { path: { productId }, body: {} }, 201);

    const product = await client.api('getProduct', { path: { productId } }, 200);

    const parts = { path: { productId, version: 1 } };
    const { entitlements, prices } = await client.api('getProductVersion', parts, 200);
    expect(product).toEqual({
      id: productId,
      code: 'studio',
      name: 'Studio',
      default_version: { version: 1, entitlements, prices },
      versions: [
        { version: 2, created_at: '2026-01-15T12:00:00.000Z', status: 'draft' },
        { version: 1, created_at: '2026-01-15T12:00:00.000Z', status: 'published' },
      ],
    });
  });

  it('knows a product by its id alone', async () => {
    await aProduct();

    await client.api('getProduct', { path: { productId: 'studio' } }, 404);
  });

  it('takes the name of the newest version where none is default', async () => {
    const productId = await aProduct();
    await client.api('createProductVersion', { path: { productId }, body: { name: 'Next' } }, 201);
    await client.api('archiveProductVersion', { path: { productId, version: 1 } }, 204);

    const product = await client.api('getProduct', { path: { productId } }, 200);

    expect(product.name).toBe('Next');
    expect(product).not.toHaveProperty('default_version');
  });
});

describe('deleteProduct', () => {
  it('removes an unused product with its versions and frees its code', async () => {
    const productId = await aProduct();

    await client.api('deleteProduct', { path: { productId } }, 204);

    await client.api('getProduct', { path: { productId } }, 404);
    expect((await client.api('listProductVersions', {}, 200)).total_count).toBe(0);
    expect(await aProduct()).not.toBe(productId);
    const again = await client.api('deleteProduct', { path: { productId } }, 422);
    expect(again.errors).toEqual({ productId: ['No such product.'] });
  });

  it('archives a product that was subscribed to, and may be repeated', async () => {
    const productId = await aProduct();
    await client.api('createProductVersion', { path: { productId }, body: {} }, 201);
    await aSubscriber(productId);

    await client.api('deleteProduct', { path: { productId } }, 204);
    await client.api('deleteProduct', { path: { productId } }, 204);

    const product = await client.api('getProduct', { path: { productId } }, 200);
    const world = client.emulator.worlds.find('key_test_emulator');
    expect(world?.tables.products.get(productId)?.archived).toBe(true);
    expect(product).not.toHaveProperty('default_version');
    expect(product.versions).toHaveLength(2);
    for (const version of world?.tables.versions.values() ?? [])
      expect(version).toMatchObject({
        status: 'archived',
        archived_at: '2026-01-15T12:00:00.000Z',
      });
    expect((await client.api('listProducts', {}, 200)).items).toHaveLength(1);
    await client.api('getProductVersion', { path: { productId, version: 'default' } }, 404);
    const body = { name: 'Studio', code: 'studio', prices: [IMAGES] };
    expect(await errorsOf(body)).toHaveProperty('code');
    const version = await client.api(
      'createProductVersion',
      { path: { productId }, body: {} },
      422,
    );
    expect(version.errors).toEqual({ productId: ['The product is archived.'] });
  });
});

async function aSubscriber(productId: string): Promise<void> {
  const subscriptions = [{ products: [{ id: productId }] }];
  await client.api('createCustomer', { body: { name: 'Acme', subscriptions } }, 201);
}

describe('products of another owner', () => {
  it('are invisible to a connected account, whose codes are its own', async () => {
    const productId = await aProduct();
    await aSubscriber(productId);
    const account = await client.api('createConnectedAccount', { body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': account.id };
    const path = { productId, version: 1 };

    await client.api('getProduct', { path, headers }, 404);
    await client.api('getProductVersion', { path, headers }, 404);
    for (const operation of ['deleteProduct', 'archiveProductVersion'] as const)
      await client.api(operation, { path, headers }, 422);
    await client.api('updateProductVersion', { path, headers, body: {} }, 422);
    await client.api('createProductVersion', { path, headers, body: {} }, 422);
    for (const operation of ['listProducts', 'listProductVersions', 'listSubscribers'] as const)
      expect((await client.api(operation, { path, headers }, 200)).total_count).toBe(0);

    const body = { name: 'Theirs', code: 'studio', prices: [IMAGES] };
    await client.api('createProduct', { body, headers }, 201);
    expect((await client.api('listProducts', {}, 200)).total_count).toBe(1);
  });
});
