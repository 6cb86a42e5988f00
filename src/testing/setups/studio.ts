import { beforeEach } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { key } from '../../store/schema.ts';
import { entitlement, IMAGE_PRICE, inWorld } from '../catalog.ts';
import { createTestClient, type TestClient } from '../client.ts';

export const GIFT = entitlement(5, { name: 'Gift', asset: 'USD' });

interface Studio {
  client: TestClient;
  /** A test can assign another id, such as one that does not exist. */
  productId: string;
}

/** For tests: before each, a new emulator, and calls about a product and its versions. */
export function openStudio() {
  const studio = {} as Studio;
  beforeEach(() => {
    studio.client = createTestClient();
  });

  /** Creates the product of the test with its first version. */
  async function create(body: object): Promise<void> {
    const product = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE], ...body };
    studio.productId = (await studio.client.api('createProduct', { body: product }, 201)).id;
  }

  return Object.assign(studio, { create }, versionsOf(studio));
}

function versionsOf(studio: Studio) {
  const call = (
    operation: OperationId,
    status: number,
    version?: number | string,
    body?: object,
  ) => {
    const path = { productId: studio.productId, ...(version !== undefined && { version }) };
    return studio.client.api(operation, { path, ...(body && { body }) }, status);
  };
  return {
    add: (body: object, status = 201) =>
      call('createProductVersion', status, undefined, { prices: [IMAGE_PRICE], ...body }),
    change: (version: number | string, body: object, status = 204) =>
      call('updateProductVersion', status, version, body),
    close: (version: number | string, status = 204) =>
      call('archiveProductVersion', status, version),
    show: (version: number | string, status = 200) => call('getProductVersion', status, version),

    /** The stored record of a version, which has more fields than responses. */
    recordOf: (version: number) =>
      inWorld(studio.client, ({ tables }) =>
        tables.versions.get(key(studio.productId, String(version))),
      ),

    /** Status of each version in order, and the number of the default version. */
    async standing(): Promise<unknown> {
      const product = await call('getProduct', 200);
      const statuses = product.versions.map(({ status }: { status: string }) => status).reverse();
      return [statuses.join(' '), product.default_version?.version];
    },
  };
}
