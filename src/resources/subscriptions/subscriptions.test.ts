import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { entitlement, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';

const buyer = openBuyer();
const { api, product, subscribe, subscribeToPlan, subscriptions, show } = buyer;
const accountIds = async () =>
  (await api('getWallet', { path: { customerId: buyer.customerId } }, 200)).accounts.map(
    ({ id }: { id: string }) => id,
  );

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

  it('opens a wallet account for every asset of prices and entitlements', async () => {
    const prices = [fixedPrice(20), PER_IMAGE];
    await product('paid', { prices, entitlements: [entitlement(5)] });

    await subscribe({ products: [{ code: 'paid' }], ...URLS });

    expect(await accountIds()).toEqual(['default:USD', 'default:EUR', 'default:CREDIT']);
  });
});

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
});
