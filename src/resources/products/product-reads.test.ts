import { beforeEach, describe, expect, it } from 'vitest';
import { IMAGE_PRICE } from '../../testing/catalog.ts';
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

async function aSubscriber(productId: string): Promise<void> {
  const subscriptions = [{ products: [{ id: productId }] }];
  await client.api('createCustomer', { body: { name: 'Acme', subscriptions } }, 201);
}

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
  it('returns the product with its versions, newest first', async () => {
    const productId = await aProduct();
    await client.api(
      'createProductVersion',
      { path: { productId }, body: { prices: [IMAGE_PRICE] } },
      201,
    );

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

  it('archives a product that has been subscribed to, and can be repeated', async () => {
    const productId = await aProduct();
    await client.api(
      'createProductVersion',
      { path: { productId }, body: { prices: [IMAGE_PRICE] } },
      201,
    );
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
    const body = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE] };
    expect(await errorsOf(body)).toHaveProperty('code');
    const version = await client.api(
      'createProductVersion',
      { path: { productId }, body: { prices: [IMAGE_PRICE] } },
      422,
    );
    expect(version.errors).toEqual({ productId: ['The product is archived.'] });
  });
});

describe('products of another owner', () => {
  it('are invisible to a connected account, which can use the same codes', async () => {
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
    await client.api(
      'createProductVersion',
      { path, headers, body: { prices: [IMAGE_PRICE] } },
      422,
    );
    for (const operation of ['listProducts', 'listProductVersions', 'listSubscribers'] as const)
      expect((await client.api(operation, { path, headers }, 200)).total_count).toBe(0);

    const body = { name: 'Theirs', code: 'studio', prices: [IMAGE_PRICE] };
    await client.api('createProduct', { body, headers }, 201);
    expect((await client.api('listProducts', {}, 200)).total_count).toBe(1);
  });
});
