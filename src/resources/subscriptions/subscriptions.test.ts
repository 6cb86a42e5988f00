import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import {
  aCatalogProduct,
  entitlement,
  fixedPrice,
  PER_IMAGE,
  URLS,
} from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';

const buyer = openBuyer();
const { api, product, subscribe, subscriptions, show, grants: granted, setClock } = buyer;
const accountIds = async () =>
  (await api('getWallet', { path: { customerId: buyer.customerId } }, 200)).accounts.map(
    ({ id }: { id: string }) => id,
  );
const webhookEvents = async () => (await api('listWebhookEvents', {}, 200)).items;

describe('createSubscription', () => {
  it('activates at once without an upfront fee', async () => {
    const productId = await product('images', { prices: [PER_IMAGE] });

    const subscription = await subscribe({ products: [{ code: 'images' }] });

    expect(subscription).toEqual({
      id: expect.stringMatching(/^sub_\w{26}$/),
      status: 'active',
      products: [{ id: productId, code: 'images', version: 1 }],
      started_at: TEST_NOW,
      required_actions: [],
    });
    expect(await subscriptions()).toEqual([subscription]);
  });

  it('sends subscription.activated on activation, not before', async () => {
    await product('images', { prices: [PER_IMAGE] });
    await product('paid', { prices: [fixedPrice(20)] });
    await subscribe({ products: [{ code: 'paid' }], ...URLS });
    expect(await webhookEvents()).toEqual([]);

    const { id } = await subscribe({ products: [{ code: 'images' }] });

    expect(await webhookEvents()).toMatchObject([
      {
        topic: 'subscription.activated',
        time: TEST_NOW,
        data: { customer_id: buyer.customerId, subscription_id: id, occurred_at: TEST_NOW },
      },
    ]);
  });

  it('requires the payment of a fixed fee', async () => {
    await product('paid', { prices: [fixedPrice(0), fixedPrice(0.01), PER_IMAGE] });

    const subscription = await subscribe({ products: [{ code: 'paid' }], ...URLS });

    expect(subscription).toEqual({
      id: subscription.id,
      status: 'action_required',
      products: [{ id: expect.any(String), code: 'paid', version: 1 }],
      required_actions: [
        {
          type: 'payment',
          redirect_url: expect.stringMatching(
            `^https://billing.example.com/hosted/checkout/[\\w-]{43}$`,
          ),
        },
      ],
    });
    expect(await subscriptions()).toEqual([subscription]);
  });

  it('returns another payment link for each subscription', async () => {
    await product('paid', { prices: [fixedPrice(20)] });
    const links = new Set();
    for (let count = 0; count < 3; count += 1) {
      const { required_actions } = await subscribe({ products: [{ code: 'paid' }], ...URLS });
      links.add(required_actions[0].redirect_url);
    }

    expect(links.size).toBe(3);
  });

  it('activates a fee of 0 without a payment and renews on the anchor day', async () => {
    await product('free', { prices: [fixedPrice(0)] });
    setClock('2026-01-31T10:00:00Z');

    const subscription = await subscribe({ products: [{ code: 'free' }], ...URLS });

    expect(subscription).toMatchObject({
      status: 'active',
      renews_at: '2026-02-28T10:00:00.000Z',
    });
  });

  it('accepts a starts_at in the past, but counts periods from now', async () => {
    await product('free', { prices: [fixedPrice(0)] });
    const starts_at = '2026-01-01T01:00:00+01:00';

    const subscription = await subscribe({ products: [{ code: 'free' }], starts_at, ...URLS });

    expect(subscription).toMatchObject({
      status: 'active',
      started_at: '2026-01-01T00:00:00.000Z',
      renews_at: '2026-02-15T12:00:00.000Z',
    });
  });

  it('is scheduled until a later starts_at', async () => {
    await product('images', {
      prices: [PER_IMAGE],
      entitlements: [entitlement(5, { asset: 'EUR' })],
    });
    const starts_at = '2026-02-01T00:00:00Z';

    const subscription = await subscribe({ products: [{ code: 'images' }], starts_at });

    expect(subscription).toMatchObject({ status: 'scheduled', required_actions: [] });
    const { active_subscription_count } = await api(
      'getCustomer',
      { path: { customerId: buyer.customerId } },
      200,
    );
    expect(active_subscription_count).toBe(0);
    expect(subscription).not.toHaveProperty('started_at');
    expect(await granted('EUR')).toEqual([]);
    expect(await webhookEvents()).toEqual([]);
  });

  it('returns the requested renews_at', async () => {
    await product('images', { prices: [PER_IMAGE] });
    await product('paid', { prices: [fixedPrice(20)] });
    const renews_at = '2026-01-20T00:00:00.000Z';

    const spans = await subscribe({ products: [{ code: 'images' }], renews_at, ...URLS });
    const paid = await subscribe({ products: [{ code: 'paid' }], renews_at, ...URLS });

    expect([spans.renews_at, paid.renews_at]).toEqual([renews_at, renews_at]);
  });

  it('opens a wallet account for every asset of prices and entitlements', async () => {
    const prices = [fixedPrice(20), PER_IMAGE];
    await product('paid', { prices, entitlements: [entitlement(5)] });

    await subscribe({ products: [{ code: 'paid' }], ...URLS });

    expect(await accountIds()).toEqual(['default:USD', 'default:EUR', 'default:CREDIT']);
  });

  it('resolves products by id, by code and by both, and versions to numbers', async () => {
    const a = await product('a', { prices: [PER_IMAGE] });
    const b = await product('b', { prices: [PER_IMAGE] });
    await product('c', { prices: [PER_IMAGE] });
    const version = {
      path: { productId: a },
      body: { prices: [PER_IMAGE], publish: true, make_default: true },
    };
    await api('createProductVersion', version, 201);

    const { products } = await subscribe({
      products: [
        { id: a },
        { code: 'b', version: 'default' },
        { code: 'c', id: null, version: null },
      ],
    });
    const older = await subscribe({ products: [{ id: a, code: 'a', version: 1 }] });

    expect(products).toMatchObject([
      { id: a, code: 'a', version: 2 },
      { id: b, version: 1 },
      { code: 'c', version: 1 },
    ]);
    expect(older.products).toEqual([{ id: a, code: 'a', version: 1 }]);
  });

  it('marks its products as used, so that deleting one only archives it', async () => {
    const productId = await product('images', { prices: [PER_IMAGE] });
    await subscribe({ products: [{ code: 'images' }] });
    await api('deleteProduct', { path: { productId } }, 204);

    const { versions } = await api('getProduct', { path: { productId } }, 200);

    expect(versions).toMatchObject([{ status: 'archived' }]);
    expect((await show()).status).toBe('active');
  });
});

describe('subscriptions of a connected account', () => {
  it('accept only its own products and are visible only to it', async () => {
    const account = await api('createConnectedAccount', { body: { name: 'Sub' } }, 201);
    const acting = { headers: { 'X-Service-Account': account.id } };
    const ours = await product('images', { prices: [PER_IMAGE] });
    const theirs = await aCatalogProduct(buyer.client, 'images', { prices: [PER_IMAGE] }, acting);
    const body = { name: 'Theirs', subscriptions: [{ products: [{ code: 'images' }] }] };

    const created = await api('createCustomer', { ...acting, body }, 201);

    expect(created.subscriptions[0].products[0].id).toBe(theirs);
    const path = { customerId: created.id };
    const foreign = { products: [{ id: ours }] };
    const mixed = await api('createSubscription', { ...acting, path, body: foreign }, 422);
    expect(Object.keys(mixed.errors)).toEqual(['products[0].id']);
    const unknown = await api('createSubscription', { path, body: foreign }, 422);
    expect(Object.keys(unknown.errors)).toEqual(['customerId']);
    const subscription = { ...path, subscriptionId: created.subscriptions[0].id };
    await api('updateSubscription', { path: subscription, body: {} }, 404);
    expect((await api('listWebhookEvents', {}, 200)).items).toEqual([]);
    expect((await api('listWebhookEvents', acting, 200)).items).toHaveLength(1);
  });
});
