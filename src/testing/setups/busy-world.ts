import { aCatalogProduct, EVERY_DAY, entitlement } from '../catalog.ts';
import type { TestClient } from '../client.ts';

export const BUSY = 'key_test_busy';

/** A world that has something to do every day. */
export async function aBusyWorld(client: TestClient, key: string): Promise<void> {
  await client.api('createAsset', { key, body: { code: 'CREDIT', name: 'Credits' } }, 201);
  const content = { entitlements: [entitlement(50, EVERY_DAY)] };
  await aCatalogProduct(client, 'daily', content, { key });
  for (const name of ['Acme', 'Globex', 'Initech']) {
    const body = { name, subscriptions: [{ products: [{ code: 'daily' }] }] };
    await client.api('createCustomer', { key, body }, 201);
  }
}
