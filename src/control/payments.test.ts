import { describe, expect, it } from 'vitest';
import { entitlement, fixedPrice, URLS } from '../testing/catalog.ts';
import { type AnyBody, TEST_NOW } from '../testing/client.ts';
import { openBuyer } from '../testing/setups/buyer.ts';

const buyer = openBuyer();
const {
  api,
  control,
  product,
  subscribe,
  update,
  show,
  grants: granted,
  activations,
  setClock,
} = buyer;
let codes = 0;

const settle = (id: string, body: object, status = 200) =>
  control('settlePayment', { path: { id }, body }, status);

async function aSubscription(more: object = {}): Promise<AnyBody> {
  const content = { prices: [fixedPrice(20)], entitlements: [entitlement(1000)] };
  const id = await product(`plan-${codes++}`, content);
  return subscribe({ products: [{ id }], ...URLS, ...more });
}

async function aTopUp(more: object = {}): Promise<AnyBody> {
  const body = { customer_id: buyer.customerId, amount: 50, currency: 'USD', ...URLS, ...more };
  return api('createTopUp', { body }, 201);
}

const tokenOf = (url: string) => url.slice(-43);
const linkOf = ({ required_actions }: AnyBody) => required_actions[0].redirect_url as string;
const topUp = (topUpId: string) => api('getTopUp', { path: { topUpId } }, 200);
const account = (accountId: string) =>
  api('getWalletAccount', { path: { customerId: buyer.customerId, accountId } }, 200);

describe('settlePayment of a subscription', () => {
  it('activates, fires, grants and books the fee', async () => {
    const { id } = await aSubscription();

    expect(await settle(id, { outcome: 'succeeded' })).toEqual({
      kind: 'subscription',
      id,
      customer_id: buyer.customerId,
      status: 'active',
      changed: true,
      redirect_url: URLS.return_url,
    });
    expect(await show()).toMatchObject({ status: 'active', required_actions: [] });
    expect(await granted()).toMatchObject([{ amount: 1000 }]);
    expect(await activations()).toBe(1);
    const stats = await api('getCustomerStats', { path: { customerId: buyer.customerId } }, 200);
    expect(stats.gross_revenue).toBe(20);
  });

  it('does no harm a second time, by id or by the link that was paid', async () => {
    const created = await aSubscription();
    const token = tokenOf(linkOf(created));
    await settle(token, { outcome: 'succeeded' });

    expect((await settle(created.id, { outcome: 'succeeded' })).changed).toBe(false);
    expect((await settle(token, { outcome: 'succeeded' })).changed).toBe(false);
    expect(await activations()).toBe(1);
    const stats = await api('getCustomerStats', { path: { customerId: buyer.customerId } }, 200);
    expect(stats.gross_revenue).toBe(20);
  });

  it('goes on waiting after a refusal, on the same link', async () => {
    const created = await aSubscription();
    const settled = await settle(created.id, { outcome: 'failed', reason: 'expired card' });

    expect(settled).toMatchObject({
      status: 'action_required',
      changed: true,
      redirect_url: URLS.failure_url,
    });
    expect(linkOf(await show())).toBe(linkOf(created));
    expect((await settle(created.id, { outcome: 'succeeded' })).status).toBe('active');
  });

  it('waits for a bank, and is paid or refused when that answers', async () => {
    const { id } = await aSubscription();
    expect(await settle(id, { outcome: 'processing' })).toMatchObject({
      status: 'action_required',
      changed: true,
    });
    expect((await settle(id, { outcome: 'processing' })).changed).toBe(false);
    await settle(id, { outcome: 'abandoned' }, 422);
    setClock('2026-01-17T12:00:00Z');
    await settle(id, { outcome: 'failed' });
    const renewed = linkOf(await show());
    await settle(id, { outcome: 'processing' });

    expect((await settle(tokenOf(renewed), { outcome: 'succeeded' })).status).toBe('active');
  });

  it('gets its next link when it is abandoned, and the former one leads nowhere', async () => {
    const created = await aSubscription();
    await settle(created.id, { outcome: 'abandoned' });

    expect(linkOf(await show())).not.toBe(linkOf(created));
    const refused = await settle(tokenOf(linkOf(created)), { outcome: 'succeeded' }, 422);
    expect(refused.errors).toHaveProperty('outcome');
  });

  it('names no address where the payer ends in the portal', async () => {
    const { id } = await aSubscription({ redirect_to: 'portal' });

    expect(await settle(id, { outcome: 'succeeded' })).not.toHaveProperty('redirect_url');
  });

  it('refuses what awaits no payment', async () => {
    const { id } = await aSubscription();
    await settle(id, { outcome: 'succeeded' });

    expect((await settle(id, { outcome: 'failed' }, 422)).errors).toEqual({
      outcome: ['There is no payment to settle here.'],
    });
    await update(id, { status: 'inactive' });
    await settle(id, { outcome: 'succeeded' }, 422);
  });
});

describe('settlePayment of a top-up', () => {
  it('credits what was bought as a paid grant for a year', async () => {
    const destination = { asset: 'CREDIT', exchange_rate: 0.05 };
    const { id } = await aTopUp({ destination, description: 'More', metadata: { a: 'b' } });
    const settled = await settle(id, { outcome: 'succeeded' });

    expect(settled).toMatchObject({ kind: 'top_up', status: 'succeeded', changed: true });
    expect((await topUp(id)).status).toBe('succeeded');
    expect(await account('default:CREDIT')).toMatchObject({ available: 1000, pending_in: 0 });
    const [grant] = await granted();
    expect(grant).toMatchObject({
      purpose: 'paid',
      source: 'top_up',
      amount: 1000,
      effective_at: TEST_NOW,
      expires_at: '2027-01-15T12:00:00.000Z',
    });
    const { items } = await control('listLedgerTransactions', {}, 200);
    expect(items).toMatchObject([{ source: 'top_up', top_up_id: id }]);
    const path = { customerId: buyer.customerId, transactionId: grant.transaction_id };
    expect(await api('getWalletTransaction', { path }, 200)).toMatchObject({
      type: 'adjustment',
      amount: 1000,
      description: 'More',
      metadata: { a: 'b' },
    });
  });

  it('credits once, however often it is paid', async () => {
    const { id, redirect_url } = await aTopUp();
    await settle(tokenOf(redirect_url), { outcome: 'succeeded' });

    expect((await settle(id, { outcome: 'succeeded' })).changed).toBe(false);
    expect((await settle(tokenOf(redirect_url), { outcome: 'succeeded' })).changed).toBe(false);
    expect((await account('default:USD')).available).toBe(50);
    await settle(id, { outcome: 'failed' }, 422);
  });

  it('shows money on its way as pending', async () => {
    const { id } = await aTopUp();
    await settle(id, { outcome: 'processing' });

    expect(await account('default:USD')).toMatchObject({ available: 0, pending_in: 50 });
    await settle(id, { outcome: 'abandoned' }, 422);
    await settle(id, { outcome: 'succeeded' });
    expect(await account('default:USD')).toMatchObject({ available: 50, pending_in: 0 });
  });

  it('may be tried again after a refusal, until its link ends', async () => {
    const { id } = await aTopUp();
    const late = await aTopUp();
    const refused = await settle(id, { outcome: 'failed', reason: 'insufficient funds' });
    await settle(late.id, { outcome: 'failed' });

    expect(refused).toMatchObject({ status: 'failed', redirect_url: URLS.failure_url });
    expect((await settle(id, { outcome: 'succeeded' })).status).toBe('succeeded');
    setClock('2026-01-16T12:00:00Z');
    await settle(late.id, { outcome: 'succeeded' }, 422);
  });

  it('expires when it is abandoned', async () => {
    const { id } = await aTopUp();

    expect((await settle(id, { outcome: 'abandoned' })).status).toBe('expired');
    const { errors } = await settle(id, { outcome: 'succeeded' }, 422);
    expect(errors.outcome[0]).toContain('link is closed');
  });

  it('keeps the end that its credit was given, even one that passed', async () => {
    const { id } = await aTopUp({ credit_expires_at: '2026-01-15T13:00:00Z' });
    setClock('2026-01-15T14:00:00Z');
    await settle(id, { outcome: 'succeeded' });

    expect((await account('default:USD')).available).toBe(0);
    expect(await granted('USD')).toMatchObject([
      { amount: 50, remaining: 0, expires_at: '2026-01-15T13:00:00.000Z' },
    ]);
  });

  it('gives credit without an end where the settings say so', async () => {
    await buyer.open({ top_up_credit_lifetime: 'none' });
    const { id } = await aTopUp();
    await settle(id, { outcome: 'succeeded' });

    expect(await granted('USD')).toMatchObject([{ expires_at: null }]);
  });
});

describe('settlePayment', () => {
  it('answers 404 for what is not there, and for what belongs to another account', async () => {
    const account = await api('createConnectedAccount', { body: { name: 'Sub' } }, 201);
    const headers = { 'X-Service-Account': account.id };
    const { id } = await aTopUp();

    await settle('top_unknown', { outcome: 'succeeded' }, 404);
    const parts = { path: { id }, body: { outcome: 'succeeded' }, headers };
    await control('settlePayment', parts, 404);
    expect((await topUp(id)).status).toBe('initiated');

    await settle(id, { outcome: 'succeeded' }, 200);
    await control('settlePayment', { ...parts, body: { outcome: 'failed' } }, 404);
  });

  it('says what is wrong with an outcome', async () => {
    const { id } = await aTopUp();
    const { errors } = await settle(id, { outcome: 'won', note: 1 }, 422);

    expect(errors.outcome[0]).toContain('succeeded, failed, processing, abandoned');
    expect(errors).toHaveProperty('note');
  });
});
