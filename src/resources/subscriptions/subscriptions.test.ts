import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { TEST_CARD } from '../customers/payment-method.ts';

const buyer = openBuyer();
const {
  api,
  product,
  subscribe,
  subscribeToPlan,
  update,
  show,
  setClock,
  pay,
  grants: granted,
  activations,
} = buyer;
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

describe('updateSubscription, status', () => {
  it('deactivates and reactivates a subscription without an upfront fee', async () => {
    const entitlements = [entitlement(5), entitlement(6, { ...EVERY_MONTH, name: 'Monthly' })];
    const { subscriptionId } = await subscribeToPlan(
      { prices: [fixedPrice(0)], entitlements },
      URLS,
    );
    await update(subscriptionId, { status: 'inactive' });

    expect(await show()).toMatchObject({ status: 'inactive', required_actions: [] });
    expect(await show()).not.toHaveProperty('renews_at');
    expect(await granted()).toMatchObject([{ remaining: 5 }, { remaining: 6 }]);

    setClock('2026-03-01T00:00:00Z');
    await update(subscriptionId, { status: 'active' });
    await update(subscriptionId, { status: 'active' });

    expect(await show()).toMatchObject({
      status: 'active',
      started_at: '2026-01-15T12:00:00.000Z',
      renews_at: '2026-03-15T12:00:00.000Z',
    });
    const grants = await granted();
    expect(grants.map(({ amount, expires_at }) => [amount, expires_at])).toEqual([
      [5, '2126-01-15T12:00:00.000Z'],
      [6, '2026-02-15T12:00:00.000Z'],
      [6, '2026-03-15T12:00:00.000Z'],
    ]);
    expect(await activations()).toBe(2);
  });

  it('rejects activation of an unpaid subscription, together with other errors', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);

    const body = { status: 'active', renews_at: '2026-01-15T12:00:00Z', return_url: null };
    const { errors } = await update(subscriptionId, body, 422);

    expect(Object.keys(errors)).toEqual(['status', 'renews_at', 'return_url']);
    expect((await show()).status).toBe('action_required');
  });

  it('collects a fixed fee by the saved payment method on reactivation', async () => {
    const entitlements = [entitlement(5), entitlement(1000, { ...EVERY_MONTH, name: 'Monthly' })];
    const { subscriptionId } = await subscribeToPlan(
      { prices: [fixedPrice(20)], entitlements },
      URLS,
    );
    pay(subscriptionId);
    await update(subscriptionId, { status: 'inactive' });
    setClock('2026-01-31T10:00:00Z');
    await update(subscriptionId, { status: 'active' });

    expect(await show()).toMatchObject({
      status: 'active',
      renews_at: '2026-02-28T10:00:00.000Z',
      required_actions: [],
    });
    const grants = await granted();
    expect(grants.map(({ remaining, expires_at }) => [remaining, expires_at])).toEqual([
      [5, '2126-01-15T12:00:00.000Z'],
      [0, '2026-01-31T10:00:00.000Z'],
      [1000, '2026-02-28T10:00:00.000Z'],
    ]);
    const path = { customerId: buyer.customerId, accountId: 'default:CREDIT' };
    expect(await api('getWalletAccount', { path }, 200)).toMatchObject({ available: 1005 });
    const stats = await api('getCustomerStats', { path: { customerId: buyer.customerId } }, 200);
    expect(stats.gross_revenue).toBe(40);
    expect(await activations()).toBe(2);
  });

  it('requires a payment if the saved card is declined', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);
    pay(subscriptionId, { ...TEST_CARD, last4: '0341', declines_later: true });
    await update(subscriptionId, { status: 'inactive' });
    await update(subscriptionId, { status: 'active' });

    expect(await show()).toMatchObject({
      status: 'action_required',
      required_actions: [{ type: 'payment' }],
    });

    setClock('2026-01-20T00:00:00Z');
    pay(subscriptionId);
    expect(await show()).toMatchObject({
      status: 'active',
      renews_at: '2026-02-20T00:00:00.000Z',
    });
  });
});

describe('updateSubscription, other fields', () => {
  it('adds a renewal to a perpetual subscription, and removes it', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [PER_IMAGE] });
    const renews_at = '2026-01-20T00:00:00.000Z';
    const { errors } = await update(subscriptionId, { renews_at }, 422);
    expect(Object.keys(errors)).toEqual(['return_url', 'failure_url']);
    await update(subscriptionId, { renews_at, ...URLS });
    expect((await show()).renews_at).toBe(renews_at);

    await update(subscriptionId, { renews_at: null, return_url: null, failure_url: null });

    expect(await show()).not.toHaveProperty('renews_at');
  });

  it('keeps a renews_at that is set before the payment', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);
    await update(subscriptionId, { renews_at: '2026-02-01T00:00:00Z', redirect_to: 'portal' });
    pay(subscriptionId);

    expect((await show()).renews_at).toBe('2026-02-01T00:00:00.000Z');
  });
});

describe('createSubscription validation', () => {
  it('rejects unpublished versions and ambiguous products, each at its field', async () => {
    const draft = { publish: false, prices: [PER_IMAGE] };
    await product('draft', draft);
    const archived = await product('archived', { prices: [PER_IMAGE] });
    const gone = await product('gone', { prices: [PER_IMAGE] });
    await subscribe({ products: [{ code: 'gone' }] });
    await api('archiveProductVersion', { path: { productId: archived, version: 1 } }, 204);
    await api('deleteProduct', { path: { productId: gone } }, 204);
    const other = await product('other', { prices: [PER_IMAGE] });

    const { errors } = await subscribe(
      {
        products: [
          { code: 'draft', version: 1 },
          { code: 'archived', version: 1 },
          { id: archived },
          { id: gone },
          { id: other, version: 2 },
          { id: other, code: 'draft' },
          { code: 'other' },
          {},
        ],
      },
      422,
    );

    expect(Object.keys(errors)).toEqual([
      'products[0].version',
      'products[1].version',
      'products[2].id',
      'products[2].version',
      'products[3].id',
      'products[4].version',
      'products[5].code',
      'products[6].code',
      'products[7].id',
    ]);
    expect(errors['products[0].version'][0]).toContain('published');
    expect(errors['products[6].code'][0]).toContain('once');
  });

  it('rejects a renewal before now even if it is after the start', async () => {
    const { productId, subscriptionId } = await buyer.subscribeToPlan({ prices: [PER_IMAGE] });
    const starts_at = '2026-01-10T12:00:00Z';
    const between = { starts_at, renews_at: '2026-01-15T12:00:00Z', ...URLS };
    const path = { customerId: buyer.customerId, subscriptionId };
    const body = { renews_at: between.renews_at, ...URLS };

    const created = await subscribe({ products: [{ id: productId }], ...between }, 422);
    const updated = await api('updateSubscription', { path, body }, 422);

    const expected = ['Expected a time after now and after the start of the subscription.'];
    expect(created.errors).toEqual({ renews_at: expected });
    expect(updated.errors).toEqual({ renews_at: expected });
    const later = { ...between, renews_at: '2026-01-15T12:00:00.001Z' };
    await subscribe({ products: [{ id: productId }], ...later });
    expect(await buyer.show(1)).toMatchObject({
      started_at: '2026-01-10T12:00:00.000Z',
      renews_at: '2026-01-15T12:00:00.001Z',
    });
  });

  it('reports an unknown customer together with the errors of the body', async () => {
    buyer.customerId = 'cust_nothing';

    const { errors } = await subscribe({ products: [{ code: 'nothing' }] }, 422);

    expect(Object.keys(errors)).toEqual(['customerId', 'products[0].code']);
  });
});
