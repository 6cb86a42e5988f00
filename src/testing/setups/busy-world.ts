import { onTestFinished } from 'vitest';
import { aCatalogProduct, EVERY_DAY, entitlement } from '../catalog.ts';
import { createTestClient, type TestClient } from '../client.ts';

export const BUSY = 'key_test_busy';

/** For one test: a client of an emulator that is closed when the test ends. */
export function openBusy(settings = {}): TestClient {
  const client = createTestClient(settings);
  onTestFinished(() => client.emulator.close());
  return client;
}

export const advance = (client: TestClient, body: object, key = BUSY) =>
  client.send('advanceClock' as never, { key, body });

/** Fills a world with jobs on every day. */
export async function aBusyWorld(client: TestClient, key: string): Promise<void> {
  await client.api('createAsset', { key, body: { code: 'CREDIT', name: 'Credits' } }, 201);
  const content = { entitlements: [entitlement(50, EVERY_DAY)] };
  await aCatalogProduct(client, 'daily', content, { key });
  for (const name of ['Acme', 'Globex', 'Initech']) {
    const body = { name, subscriptions: [{ products: [{ code: 'daily' }] }] };
    await client.api('createCustomer', { key, body }, 201);
  }
}
