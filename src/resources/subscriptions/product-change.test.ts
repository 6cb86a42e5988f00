import { beforeEach, describe, expect, it } from 'vitest';
import { aCatalogProduct, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
let customerId: string;
beforeEach(async () => {
  client = createTestClient({ public_url: 'https://billing.example.com' });
  customerId = (await client.api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  await client.api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
});

async function subscribe(content: object, body: object = {}) {
  const productId = await aCatalogProduct(client, 'plan', content);
  const parts = { path: { customerId }, body: { products: [{ code: 'plan' }], ...body } };
  const { id } = await client.api('createSubscription', parts, 201);
  return { productId, subscriptionId: id as string };
}
const show = async () =>
  (await client.api('getCustomer', { path: { customerId } }, 200)).subscriptions[0];
const activations = async () => (await client.api('listWebhookEvents', {}, 200)).items.length;

describe('updateSubscriptionProduct', () => {
  const move = (path: object, body: object, status = 204) =>
    client.api(
      'updateSubscriptionProduct',
      { path: { customerId, ...path } as Record<string, string>, body },
      status,
    );
  const addVersion = (productId: string, body: object) =>
    client.api('createProductVersion', { path: { productId }, body }, 201);

  it('moves to a version by number or default, naming the product by id or code', async () => {
    const path = await subscribe({ prices: [PER_IMAGE] });
    await addVersion(path.productId, { publish: true });
    await move(path, { version: 2 });
    expect((await show()).products[0].version).toBe(2);

    await move({ ...path, productId: 'plan' }, { version: 'default' });

    expect((await show()).products[0].version).toBe(1);
    expect(await activations()).toBe(1);
  });

  it('refuses unknown, draft and archived versions', async () => {
    const path = await subscribe({ prices: [PER_IMAGE] });
    const { productId } = path;
    await addVersion(productId, {});
    await addVersion(productId, { publish: true });
    await client.api('archiveProductVersion', { path: { productId, version: 3 } }, 204);

    for (const version of [2, 3, 4]) {
      const { errors } = await move(path, { version }, 422);
      expect(Object.keys(errors)).toEqual(['version']);
    }
    expect((await show()).products[0].version).toBe(1);
  });

  it('refuses an interval other than that of the other products', async () => {
    const path = await subscribe({ prices: [fixedPrice(0)] }, URLS);
    const other = await aCatalogProduct(client, 'other', { prices: [fixedPrice(0)] });
    const body = { products: [{ code: 'plan' }, { code: 'other' }], ...URLS };
    const parts = { path: { customerId }, body };
    const { id } = await client.api('createSubscription', parts, 201);
    await addVersion(path.productId, { prices: [fixedPrice(0, 'year')], publish: true });

    const held = { subscriptionId: id, productId: path.productId };
    const { errors } = await move(held, { version: 2 }, 422);
    await move({ ...path, productId: other }, { version: 1 }, 404);

    expect(errors).toEqual({ version: [expect.stringContaining('interval')] });
  });

  it('keeps the next renewal when the interval changes and opens wallet accounts', async () => {
    const path = await subscribe({ prices: [fixedPrice(0)] }, URLS);
    await addVersion(path.productId, { prices: [fixedPrice(0, 'year', 'JPY')], publish: true });
    await move(path, { version: 2 });

    expect((await show()).renews_at).toBe('2026-02-15T12:00:00.000Z');
    const account = { customerId, accountId: 'default:JPY' };
    await client.api('getWalletAccount', { path: account }, 200);
  });

  it('ends the renewals with the last fixed price', async () => {
    const path = await subscribe({ prices: [fixedPrice(0)] }, URLS);
    await addVersion(path.productId, { prices: [PER_IMAGE], publish: true });
    await move(path, { version: 2 });

    expect(await show()).not.toHaveProperty('renews_at');
  });

  it('activates what awaited a payment that is no longer due', async () => {
    const path = await subscribe({ prices: [fixedPrice(20)] }, URLS);
    await addVersion(path.productId, { prices: [PER_IMAGE], publish: true });
    await move(path, { version: 2 });

    expect(await show()).toMatchObject({ status: 'active', required_actions: [] });
  });

  it('asks for the fee of a version that comes before the start', async () => {
    const starts_at = '2026-02-01T00:00:00Z';
    const path = await subscribe({ prices: [PER_IMAGE] }, { starts_at, ...URLS });
    await addVersion(path.productId, { prices: [fixedPrice(20)], publish: true });
    await move(path, { version: 2 });

    expect(await show()).toMatchObject({ status: 'action_required', required_actions: [{}] });
  });
});
