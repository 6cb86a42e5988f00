import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { entitlement, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';

const buyer = openBuyer();
const { api, product, subscribe, subscribeToPlan, show } = buyer;
const accountIds = async () =>
  (await api('getWallet', { path: { customerId: buyer.customerId } }, 200)).accounts.map(
    ({ id }: { id: string }) => id,
  );

describe('createSubscription', () => {
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
  it('keeps the next renewal when the interval changes and opens wallet accounts', async () => {
    const { productId, subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(0)] }, URLS);
    await buyer.version(productId, { prices: [fixedPrice(0, 'year', 'JPY')] });
    await buyer.change(subscriptionId, productId, 2);

    expect((await show()).renews_at).toBe('2026-02-15T12:00:00.000Z');
    const account = { customerId: buyer.customerId, accountId: 'default:JPY' };
    await api('getWalletAccount', { path: account }, 200);
  });
});
