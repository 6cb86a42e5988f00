import { beforeEach, describe, expect, it } from 'vitest';
import { entitlement, IMAGE_PRICE } from '../../testing/catalog.ts';
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
  const product = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE], publish: true, ...body };
  return (await client.api('createProduct', { body: product }, 201)).id;
}

async function errorsOf(body: object): Promise<unknown> {
  return (await client.api('createProduct', { body }, 422)).errors;
}

describe('createProduct', () => {
  it('creates a first version that is the default, published only with publish', async () => {
    const draft = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE] };
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

  it('stores prices exactly, in the nesting that was sent', async () => {
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

  it('rejects a code that is taken, together with all other errors', async () => {
    await aProduct();
    const gold = { ...IMAGE_PRICE, pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }] };
    const entitlements = [entitlement(1, { asset: 'GOLD' })];

    const errors = await errorsOf({ name: 'Other', code: 'studio', prices: [gold], entitlements });

    expect(errors).toEqual({
      code: ['Another product has this code already.'],
      'prices[0].pricing[0].asset': ['No asset or currency has this code.'],
      'entitlements[0].asset': ['No asset or currency has this code.'],
    });
  });

  it('rejects an entitlement amount with more decimals than its asset', async () => {
    await client.api(
      'createAsset',
      { body: { code: 'CREDIT', name: 'Credits', precision: 0 } },
      201,
    );
    const body = { name: 'Half', code: 'half', prices: [IMAGE_PRICE] };

    expect(await errorsOf({ ...body, entitlements: [entitlement(0.5)] })).toEqual({
      'entitlements[0].amount': [expect.stringContaining('more decimals')],
    });
  });

  it('reports an error at its nested field', async () => {
    const values = [
      { values: [{ unit_price: 1 }] },
      { values: [{ unit_price: 1, package_size: 2 }] },
    ];
    const prices = [{ ...IMAGE_PRICE, pricing: [{ asset: 'USD', values }] }];

    expect(Object.keys((await errorsOf({ name: 'S', code: 's', prices })) as object)).toEqual([
      'prices[0].pricing[0].values[1].values[0].package_size',
    ]);
  });

  it.each([
    ['a malformed code', { code: '.studio' }, 'code'],
    [
      'a negative price',
      { prices: [{ ...IMAGE_PRICE, pricing: [{ asset: 'USD', values: [{ unit_price: -1 }] }] }] },
      'prices[0].pricing[0].values[0].unit_price',
    ],
    [
      'an entitlement of 0',
      { entitlements: [entitlement(0, { asset: 'USD' })] },
      'entitlements[0].amount',
    ],
  ])('rejects %s', async (_, fault, field) => {
    const errors = await errorsOf({
      name: 'Studio',
      code: 'studio',
      prices: [IMAGE_PRICE],
      ...fault,
    });

    expect(Object.keys(errors as object)).toEqual([field]);
  });
});

describe('listProducts', () => {
  it('returns products newest first, with the name of the default version', async () => {
    const studio = await aProduct();
    const assistant = await aProduct({ code: 'assistant', name: 'Assistant', description: 'Chat' });
    await client.api(
      'createProductVersion',
      {
        path: { productId: studio },
        body: { name: 'Studio 2', prices: [IMAGE_PRICE], publish: true },
      },
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
  it('finds a product by its id, not by its code', async () => {
    await aProduct();

    await client.api('getProduct', { path: { productId: 'studio' } }, 404);
  });

  it('returns the name of the newest version if none is default', async () => {
    const productId = await aProduct();
    await client.api(
      'createProductVersion',
      { path: { productId }, body: { name: 'Next', prices: [IMAGE_PRICE] } },
      201,
    );
    await client.api('archiveProductVersion', { path: { productId, version: 1 } }, 204);

    const product = await client.api('getProduct', { path: { productId } }, 200);

    expect(product.name).toBe('Next');
    expect(product).not.toHaveProperty('default_version');
  });
});
