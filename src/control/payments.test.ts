import { beforeEach, describe, expect, it } from 'vitest';
import { entitlement, fixedPrice, URLS } from '../testing/catalog.ts';
import { type AnyBody, asNewAccount, createTestClient, TEST_NOW } from '../testing/client.ts';
import { aStory, type Story } from '../testing/story.ts';

let acme: Story;
beforeEach(async () => {
  acme = await aStory({ now: TEST_NOW });
});

const show = async () => (await acme.subscriptions())[0];
let codes = 0;

const settle = (id: string, body: object, status = 200) =>
  acme.api('settlePayment', { path: { id }, body }, status);

async function aSubscription(more: object = {}): Promise<AnyBody> {
  const content = { prices: [fixedPrice(20)], entitlements: [entitlement(1000)] };
  const id = await acme.product(`plan-${codes++}`, content);
  return acme.subscribe({ products: [{ id }], ...URLS, ...more });
}

async function aTopUp(more: object = {}): Promise<AnyBody> {
  const body = { customer_id: acme.customerId, amount: 50, currency: 'USD', ...URLS, ...more };
  return acme.api('createTopUp', { body }, 201);
}

const tokenOf = (url: string) => url.slice(-43);
const linkOf = ({ required_actions }: AnyBody) => required_actions[0].redirect_url as string;
const topUp = (topUpId: string) => acme.api('getTopUp', { path: { topUpId } });
const account = (accountId: string) =>
  acme.api('getWalletAccount', { path: { customerId: acme.customerId, accountId } });

describe('settlePayment of a subscription', () => {
  it('activates the subscription, sends one webhook event and books the fee', async () => {
    const { id } = await aSubscription();

    expect(await settle(id, { outcome: 'succeeded' })).toEqual({
      kind: 'subscription',
      id,
      customer_id: acme.customerId,
      status: 'active',
      changed: true,
      redirect_url: URLS.return_url,
    });
    expect(await show()).toMatchObject({ status: 'active', required_actions: [] });
    expect(await acme.activations()).toBe(1);
    const stats = await acme.api('getCustomerStats', { path: { customerId: acme.customerId } });
    expect(stats.gross_revenue).toBe(20);
  });

  it('keeps a processing payment open until it succeeds or fails', async () => {
    const { id } = await aSubscription();
    expect(await settle(id, { outcome: 'processing' })).toMatchObject({
      status: 'action_required',
      changed: true,
    });
    expect((await settle(id, { outcome: 'processing' })).changed).toBe(false);
    await settle(id, { outcome: 'abandoned' }, 422);
    await acme.setClock('2026-01-17T12:00:00Z');
    await settle(id, { outcome: 'failed' });
    const renewed = linkOf(await show());
    await settle(id, { outcome: 'processing' });

    expect((await settle(tokenOf(renewed), { outcome: 'succeeded' })).status).toBe('active');
  });

  it('returns no redirect_url if the payer is redirected to the portal', async () => {
    const { id } = await aSubscription({ redirect_to: 'portal' });

    expect(await settle(id, { outcome: 'succeeded' })).not.toHaveProperty('redirect_url');
  });

  it('rejects a subscription without an open payment with 422', async () => {
    const { id } = await aSubscription();
    await settle(id, { outcome: 'succeeded' });

    expect((await settle(id, { outcome: 'failed' }, 422)).errors).toEqual({
      outcome: ['No payment is waiting to be settled.'],
    });
    await acme.update(id, { status: 'inactive' });
    await settle(id, { outcome: 'succeeded' }, 422);
  });
});

describe('settlePayment of a top-up', () => {
  it('credits the amount once when it is paid repeatedly', async () => {
    const { id, redirect_url } = await aTopUp();
    await settle(tokenOf(redirect_url), { outcome: 'succeeded' });

    expect((await settle(id, { outcome: 'succeeded' })).changed).toBe(false);
    expect((await settle(tokenOf(redirect_url), { outcome: 'succeeded' })).changed).toBe(false);
    expect((await account('default:USD')).available).toBe(50);
    await settle(id, { outcome: 'failed' }, 422);
  });

  it('shows a processing top-up as pending_in of the account', async () => {
    const { id } = await aTopUp();
    await settle(id, { outcome: 'processing' });

    expect(await account('default:USD')).toMatchObject({ available: 0, pending_in: 50 });
    await settle(id, { outcome: 'abandoned' }, 422);
    await settle(id, { outcome: 'succeeded' });
    expect(await account('default:USD')).toMatchObject({ available: 50, pending_in: 0 });
  });

  it('expires an abandoned top-up and closes its link', async () => {
    const { id } = await aTopUp();

    expect((await settle(id, { outcome: 'abandoned' })).status).toBe('expired');
    const { errors } = await settle(id, { outcome: 'succeeded' }, 422);
    expect(errors.outcome[0]).toContain('link is closed');
  });

  it('keeps credit_expires_at even if it has passed at payment', async () => {
    const { id } = await aTopUp({ credit_expires_at: '2026-01-15T13:00:00Z' });
    await acme.setClock('2026-01-15T14:00:00Z');
    await settle(id, { outcome: 'succeeded' });

    expect((await account('default:USD')).available).toBe(0);
    expect(await acme.grants('USD')).toMatchObject([
      { available: 0, expires_at: '2026-01-15T13:00:00.000Z' },
    ]);
  });

  it('grants credit that never expires with top_up_credit_lifetime none', async () => {
    acme = await aStory({
      now: TEST_NOW,
      client: createTestClient({ top_up_credit_lifetime: 'none' }),
    });
    const { id } = await aTopUp();
    await settle(id, { outcome: 'succeeded' });

    expect(await acme.grants('USD')).toMatchObject([{ expires_at: null }]);
  });
});

describe('settlePayment', () => {
  it('returns 404 for an unknown id and for a payment of another account', async () => {
    const headers = await asNewAccount(acme.client.api, acme.key);
    const { id } = await aTopUp();

    await settle('top_unknown', { outcome: 'succeeded' }, 404);
    const parts = { path: { id }, body: { outcome: 'succeeded' }, headers };
    await acme.api('settlePayment', parts, 404);
    expect((await topUp(id)).status).toBe('initiated');

    await settle(id, { outcome: 'succeeded' }, 200);
    await acme.api('settlePayment', { ...parts, body: { outcome: 'failed' } }, 404);
  });
});

describe('setAutoTopUp', () => {
  const card = { kind: 'card' };

  it('accepts the external id of a customer, as do the other operations', async () => {
    await acme.credit('USD', 20, { reason: 'gift' });
    const path = { customerId: acme.customerId };
    await acme.api('updateCustomer', { path, body: { external_id: 'acme' } }, 204);
    const byName = { customerId: 'acme' };
    const of = { ...byName, accountId: 'default:USD' };
    const count = async (named = byName) =>
      (await acme.api('listAutoTopUps', { path: named })).items.length;

    await acme.api('setPaymentMethod', { path: byName, body: card }, 204);
    await acme.api('setAutoTopUp', { path: of, body: { threshold: 25, amount: 30 } }, 204);
    expect((await account('default:USD')).available).toBe(50);
    expect([await count(), await count(path)]).toEqual([1, 1]);
    for (const _ of ['once', 'again'])
      await acme.api('setAutoTopUp', { path: of, body: { threshold: null } }, 204);
    expect(await count()).toBe(0);
  });

  it('is hidden from other connected accounts: listAutoTopUps and setPaymentMethod return 404', async () => {
    const headers = await asNewAccount(acme.client.api, acme.key);
    const path = { customerId: acme.customerId };

    await acme.api('listAutoTopUps', { path, headers }, 404);
    await acme.api('setPaymentMethod', { path, headers, body: card }, 404);
  });
});
