import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import {
  EVERY_DAY,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  inWorld,
  ONE_MONTH,
  PER_IMAGE,
  UNUSED,
  URLS,
} from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';
import { activateSubscription, beginSubscription } from './activation.ts';
import { grantEntitlements } from './entitlements.ts';
import { awaitPayment } from './subscription-payment.ts';

const buyer = openBuyer();
const { api, product, show, grants: granted, activations, setClock, act, pay } = buyer;
const subscribe = async (body: object): Promise<string> =>
  (await buyer.subscribe({ ...URLS, ...body })).id;

describe('a subscription that is paid', () => {
  it('becomes active, and its periods count from the payment', async () => {
    await product('plan', {
      prices: [fixedPrice(20)],
      entitlements: [entitlement(1000, EVERY_MONTH)],
    });
    const id = await subscribe({ products: [{ code: 'plan' }] });
    setClock('2026-01-31T10:00:00Z');
    pay(id);

    expect(await show()).toEqual({
      id,
      status: 'active',
      products: [{ id: expect.any(String), code: 'plan', version: 1 }],
      started_at: '2026-01-31T10:00:00.000Z',
      renews_at: '2026-02-28T10:00:00.000Z',
      required_actions: [],
    });
    expect(await granted()).toMatchObject([
      { amount: 1000, expires_at: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await activations()).toBe(1);
  });

  it('keeps a requested renews_at, or renews a month later if that has passed', async () => {
    await product('plan', { prices: [fixedPrice(20)] });
    const renews_at = '2026-01-20T00:00:00.000Z';
    const id = await subscribe({ products: [{ code: 'plan' }], renews_at });
    const late = await subscribe({ products: [{ code: 'plan' }], renews_at });
    pay(id);
    setClock('2026-01-21T00:00:00Z');
    pay(late);

    expect((await show(0)).renews_at).toBe(renews_at);
    expect((await show(1)).renews_at).toBe('2026-02-20T00:00:00.000Z');
  });

  it('with a later starts_at is active at once and grants credit at that time', async () => {
    await product('plan', {
      prices: [fixedPrice(20), PER_IMAGE],
      entitlements: [entitlement(1000, EVERY_MONTH)],
    });
    const starts_at = '2026-01-31T00:00:00.000Z';
    const id = await subscribe({ products: [{ code: 'plan' }], starts_at });
    pay(id);

    expect(await show()).toMatchObject({
      status: 'active',
      started_at: starts_at,
      renews_at: '2026-02-28T00:00:00.000Z',
    });
    expect(await granted()).toEqual([]);
    expect(await activations()).toBe(1);

    setClock(starts_at);
    act(id, beginSubscription);

    expect(await granted()).toMatchObject([
      { effective_at: starts_at, expires_at: '2026-02-28T00:00:00.000Z' },
    ]);
    expect(await activations()).toBe(1);
  });

  it('starts at the payment if starts_at has passed', async () => {
    await product('plan', { prices: [fixedPrice(20)] });
    const id = await subscribe({ products: [{ code: 'plan' }], starts_at: '2026-01-16T00:00:00Z' });
    setClock('2026-01-17T00:00:00Z');
    pay(id);

    expect(await show()).toMatchObject({
      started_at: '2026-01-17T00:00:00.000Z',
      renews_at: '2026-02-17T00:00:00.000Z',
    });
  });
});

describe('a free subscription at its starts_at', () => {
  it('becomes active, grants credit and sends subscription.activated', async () => {
    await product('promo', { entitlements: [entitlement(500, ONE_MONTH)] });
    const starts_at = '2026-01-31T10:00:00.000Z';
    const renews_at = '2026-02-10T10:00:00.000Z';
    const id = await subscribe({ products: [{ code: 'promo' }], starts_at, renews_at });
    setClock(starts_at);
    act(id, beginSubscription);

    expect(await show()).toMatchObject({ status: 'active', started_at: starts_at, renews_at });
    expect(await granted()).toMatchObject([{ expires_at: '2026-02-28T10:00:00.000Z' }]);
    expect(await activations()).toBe(1);
  });
});

describe('a subscription that is paid after a failed renewal', () => {
  it('keeps its anchor day and grants the credit of the period once', async () => {
    await product('plan', {
      prices: [fixedPrice(20)],
      entitlements: [entitlement(1, ONE_MONTH), entitlement(1000, { ...EVERY_MONTH, name: 'M' })],
    });
    setClock('2026-01-31T10:00:00Z');
    const id = await subscribe({ products: [{ code: 'plan' }] });
    pay(id);
    setClock('2026-02-28T10:00:00Z');
    act(id, awaitPayment);
    expect(await show()).toMatchObject({ status: 'action_required', required_actions: [{}] });
    setClock('2026-03-05T00:00:00Z');
    pay(id);
    act(id, activateSubscription);

    expect(await show()).toMatchObject({
      status: 'active',
      started_at: '2026-01-31T10:00:00.000Z',
      renews_at: '2026-03-31T10:00:00.000Z',
    });
    const grants = await granted();
    expect(grants.map(({ amount, expires_at }) => [amount, expires_at])).toEqual([
      [1, '2026-02-28T10:00:00.000Z'],
      [1000, '2026-02-28T10:00:00.000Z'],
      [1000, '2026-03-31T10:00:00.000Z'],
    ]);
  });
});

describe('entitlements that refresh', () => {
  const refreshAt = (id: string, at: string) => {
    setClock(at);
    act(id, (context, row) => grantEntitlements(context, row, 'refresh'));
  };
  const refreshesAt = (id: string) =>
    inWorld(buyer.client, ({ tables }) => tables.subscriptions.get(id)?.refreshes_at);
  const amounts = async () => (await granted()).map(({ amount }) => amount);

  it('store the time of the earliest next refresh', async () => {
    await product('daily', { entitlements: [entitlement(50, EVERY_DAY)] });
    await product('monthly', { entitlements: [entitlement(900, EVERY_MONTH)] });
    const id = await subscribe({ products: [{ code: 'monthly' }, { code: 'daily' }] });
    expect(refreshesAt(id)).toBe('2026-01-16T12:00:00.000Z');

    refreshAt(id, '2026-01-16T12:00:00Z');

    expect(await amounts()).toEqual([900, 50, 50]);
    expect(refreshesAt(id)).toBe('2026-01-17T12:00:00.000Z');
  });

  it('switch to another version when the credit of the former one expires', async () => {
    const productId = await product('plan', {
      entitlements: [entitlement(100, { ...EVERY_MONTH, name: 'Included' }), entitlement(7)],
    });
    const entitlements = [entitlement(50, { ...EVERY_DAY, name: 'Included' }), entitlement(7)];
    const version = {
      path: { productId },
      body: { prices: [UNUSED], entitlements, publish: true },
    };
    await api('createProductVersion', version, 201);
    const subscriptionId = await subscribe({ products: [{ code: 'plan' }] });
    const path = { customerId: buyer.customerId, subscriptionId, productId };
    await api('updateSubscriptionProduct', { path, body: { version: 2 } }, 204);
    refreshAt(subscriptionId, '2026-01-16T12:00:00Z');
    expect(await amounts()).toEqual([100, 7]);
    expect(refreshesAt(subscriptionId)).toBe('2026-02-15T12:00:00.000Z');

    refreshAt(subscriptionId, '2026-02-15T12:00:00Z');

    expect(await amounts()).toEqual([100, 7, 50]);
    expect(refreshesAt(subscriptionId)).toBe('2026-02-16T12:00:00.000Z');
  });
});

describe('a repeated activation', () => {
  it('grants nothing twice at the same instant', async () => {
    await product('promo', {
      entitlements: [entitlement(5), entitlement(6, { ...EVERY_MONTH, name: 'Monthly' })],
    });
    const id = await subscribe({ products: [{ code: 'promo' }] });
    act(id, (context, row) => grantEntitlements(context, row, 'start'));

    const grants = await granted();

    expect(grants).toHaveLength(2);
    expect(grants[0]).toMatchObject({ effective_at: TEST_NOW });
  });
});
