import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';

const buyer = openBuyer();
const { api, product, subscribe, subscribeToPlan, show, activations } = buyer;

describe('updateSubscriptionProduct', () => {
  const move = (path: object, body: object, status = 204) =>
    api(
      'updateSubscriptionProduct',
      { path: { customerId: buyer.customerId, ...path } as Record<string, string>, body },
      status,
    );
  const addVersion = (productId: string, body: object) =>
    api(
      'createProductVersion',
      { path: { productId }, body: { prices: [PER_IMAGE], ...body } },
      201,
    );

  it('accepts a version number or default, and a product id or code', async () => {
    const path = await subscribeToPlan({ prices: [PER_IMAGE] });
    await addVersion(path.productId, { publish: true });
    await move(path, { version: 2 });
    expect((await show()).products[0].version).toBe(2);

    await move({ ...path, productId: 'plan' }, { version: 'default' });

    expect((await show()).products[0].version).toBe(1);
    expect(await activations()).toBe(1);
  });

  it('rejects unknown, draft and archived versions', async () => {
    const path = await subscribeToPlan({ prices: [PER_IMAGE] });
    const { productId } = path;
    await addVersion(productId, {});
    await addVersion(productId, { publish: true });
    await api('archiveProductVersion', { path: { productId, version: 3 } }, 204);

    for (const version of [2, 3, 4]) {
      const { errors } = await move(path, { version }, 422);
      expect(Object.keys(errors)).toEqual(['version']);
    }
    expect((await show()).products[0].version).toBe(1);
  });

  it('rejects an interval that differs from that of the other products', async () => {
    const path = await subscribeToPlan({ prices: [fixedPrice(0)] }, URLS);
    const other = await product('other', { prices: [fixedPrice(0)] });
    const { id } = await subscribe({ products: [{ code: 'plan' }, { code: 'other' }], ...URLS });
    await addVersion(path.productId, { prices: [fixedPrice(0, 'year')], publish: true });

    const held = { subscriptionId: id, productId: path.productId };
    const { errors } = await move(held, { version: 2 }, 422);
    await move({ ...path, productId: other }, { version: 1 }, 404);

    expect(errors).toEqual({ version: [expect.stringContaining('interval')] });
  });

  it('keeps the next renewal when the interval changes and opens wallet accounts', async () => {
    const path = await subscribeToPlan({ prices: [fixedPrice(0)] }, URLS);
    await addVersion(path.productId, { prices: [fixedPrice(0, 'year', 'JPY')], publish: true });
    await move(path, { version: 2 });

    expect((await show()).renews_at).toBe('2026-02-15T12:00:00.000Z');
    const account = { customerId: buyer.customerId, accountId: 'default:JPY' };
    await api('getWalletAccount', { path: account }, 200);
  });

  it('ends the renewals if no fixed price is left', async () => {
    const path = await subscribeToPlan({ prices: [fixedPrice(0)] }, URLS);
    await addVersion(path.productId, { prices: [PER_IMAGE], publish: true });
    await move(path, { version: 2 });

    expect(await show()).not.toHaveProperty('renews_at');
  });

  it('activates a subscription whose pending payment is no longer due', async () => {
    const path = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);
    await addVersion(path.productId, { prices: [PER_IMAGE], publish: true });
    await move(path, { version: 2 });

    expect(await show()).toMatchObject({ status: 'active', required_actions: [] });
  });

  it('requires payment if a scheduled subscription moves to a version with a fee', async () => {
    const starts_at = '2026-02-01T00:00:00Z';
    const path = await subscribeToPlan({ prices: [PER_IMAGE] }, { starts_at, ...URLS });
    await addVersion(path.productId, { prices: [fixedPrice(20)], publish: true });
    await move(path, { version: 2 });

    expect(await show()).toMatchObject({ status: 'action_required', required_actions: [{}] });
  });
});
