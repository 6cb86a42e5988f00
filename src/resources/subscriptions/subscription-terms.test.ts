import { describe, expect, it } from 'vitest';
import { openBuyer } from '../../testing/before-each.ts';
import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { TEST_CARD } from '../customers/payment-method.ts';

const buyer = openBuyer();
const { api, subscribeToPlan, update, show, grants: granted, activations, setClock, pay } = buyer;

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
