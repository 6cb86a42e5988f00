import { beforeEach, describe, expect, it } from 'vitest';
import { entitlement, IMAGE_PRICE } from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

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
