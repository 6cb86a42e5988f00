import { beforeEach } from 'vitest';
import { createTestClient, type TestClient } from '../client.ts';

export const IMAGE_PRICE = {
  name: 'Images',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.5 }] }],
};
export const DEARER = {
  ...IMAGE_PRICE,
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.75 }] }],
};
export const GIFT = { name: 'Gift', asset: 'USD', amount: 5, purpose: 'promotion' };

/** For tests: before each, an emulator of its own, and what is done there to a product and its versions. */
export function openStudio() {
  let client: TestClient;
  let productId: string;
  beforeEach(() => {
    client = createTestClient();
  });

  /** Every test starts with a product whose first version is as `create` says. */
  async function create(body: object): Promise<void> {
    const product = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE], ...body };
    productId = (await client.api('createProduct', { body: product }, 201)).id;
  }

  const add = (body: object, status = 201) =>
    client.api('createProductVersion', { path: { productId }, body }, status);
  const change = (version: number | string, body: object, status = 204) =>
    client.api('updateProductVersion', { path: { productId, version }, body }, status);
  const close = (version: number | string, status = 204) =>
    client.api('archiveProductVersion', { path: { productId, version } }, status);
  const show = (version: number | string, status = 200) =>
    client.api('getProductVersion', { path: { productId, version } }, status);

  /** What is kept of a version, beyond what answers show. */
  const recordOf = (version: number) =>
    client.emulator.worlds
      .find('key_test_emulator')
      ?.tables.versions.list('product', productId)
      .find((row) => row.version === version);

  /** Status of each version from the first, and the number of the default. */
  async function standing(): Promise<unknown> {
    const product = await client.api('getProduct', { path: { productId } }, 200);
    const statuses = product.versions.map(({ status }: { status: string }) => status).reverse();
    return [statuses.join(' '), product.default_version?.version];
  }

  return {
    get client() {
      return client;
    },
    get productId() {
      return productId;
    },
    /** Makes the rest be about another product, such as one that is not there. */
    set productId(id: string) {
      productId = id;
    },
    ...{ create, add, change, close, show, recordOf, standing },
  };
}
