import {
  aFixedPrice,
  aUnitPrice,
  check,
  completePaymentPage,
  describe,
  expect,
  uuid,
} from '../kit/index.ts';
import type { WorldCall } from '../kit/target/own-world.ts';
import { aMarch } from './shared/march.ts';
import { ADDRESSES } from './shared/subscriptions.ts';
import { pageAt } from './shared/top-ups.ts';

const aPlan = (call: WorldCall, prices: readonly object[], more: object = {}) =>
  call('createProduct', {
    body: { name: 'Plan', code: 'plan', prices, publish: true, ...more },
  });

async function anEvent(customer_id: string, call: WorldCall): Promise<void> {
  const { now: occurred_at } = await call('getClock', {});
  const events = [{ id: uuid(), event_type: 'call', occurred_at, data: {} }];
  await call('submitEvents', { body: { customer_id, events } });
}

describe('as time passes', () => {
  // SUB-59: link of a subscription that is not paid → the same for 24 hours, then another for as long; paid then → renews
  // a month after
  check('SUB-59', async (t) => {
    const { call, path, until } = await aMarch(t);
    const { id } = await aPlan(call, [aFixedPrice()]);
    await call('createSubscription', { path, body: { products: [{ id }], ...ADDRESSES } });
    const shown = async () => (await call('getCustomer', { path })).subscriptions[0];
    const link = async () => (await shown()).required_actions[0].redirect_url;
    const first = await link();
    await until('2026-03-02T11:59:59.999Z');

    expect(await link()).toBe(first);
    await until('2026-03-02T12:00:00.000Z');
    const second = await link();
    expect(second).not.toBe(first);
    await until('2026-03-03T11:59:59.999Z');
    expect(await link()).toBe(second);
    await until('2026-03-03T12:00:00.000Z');
    const third = await link();
    expect([first, second]).not.toContain(third);
    await completePaymentPage(third, 'paid');
    expect(await shown()).toMatchObject({
      status: 'active',
      started_at: '2026-03-03T12:00:00.000Z',
      renews_at: '2026-04-03T12:00:00.000Z',
    });
  });

  // TOP-32: top-ups not paid, refused and on their way → initiated, failed and pending until 24 hours have passed; then
  // expired, failed, and paid, with the credit
  check('TOP-32', async (t) => {
    const { call, path, until } = await aMarch(t);
    const body = { customer_id: path.customerId, amount: 20, currency: 'USD', ...ADDRESSES };
    const ids: string[] = [];
    for (const outcome of [undefined, 'failed', 'processing']) {
      const { id, expires_at } = await call('createTopUp', { body });
      expect(expires_at).toBe('2026-03-02T12:00:00.000Z');
      ids.push(id);
      if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
    }
    const statuses = async () => {
      const found = [];
      for (const topUpId of ids) found.push((await call('getTopUp', { path: { topUpId } })).status);
      return found;
    };
    const available = async () =>
      (await call('getWallet', { path })).accounts.map((account: { available: number }) => [
        account.available,
      ]);

    expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
    await until('2026-03-02T11:59:59.999Z');
    expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
    await until('2026-03-02T12:00:00.000Z');
    expect(await statuses()).toEqual(['expired', 'failed', 'succeeded']);
    expect(await available()).toEqual([[20]]);
  });

  // TOP-33: automatic top-up of 10 below 5 → one payment when a fee takes the balance below it, one when credit ends, none
  // otherwise
  check('TOP-33', async (t) => {
    const { call, path, until } = await aMarch(t);
    const { id } = await aPlan(call, [aUnitPrice('call', 4)]);
    await call('createSubscription', { path, body: { products: [{ id }] } });
    const gift = { asset: 'USD', amount: 9, reason: 'gift', expires_at: '2026-03-08T00:00:00Z' };
    await call('adjustWallet', { path, body: { transaction_id: uuid(), ...gift } });
    await call('setPaymentMethod', { path, body: { kind: 'card' } });
    const terms = { threshold: 5, amount: 10 };
    await call('setAutoTopUp', { path: { ...path, accountId: 'default:USD' }, body: terms });
    const available = async () => (await call('getWallet', { path })).accounts[0].available;

    await anEvent(path.customerId, call);
    expect(await available()).toBe(5);
    await anEvent(path.customerId, call);
    expect(await available()).toBe(11);
    // The 1 that is left of the gift ends, which leaves 10; two events take 8 and ask for 10 more.
    await until('2026-03-08T00:00:00.000Z');
    expect(await available()).toBe(10);
    await anEvent(path.customerId, call);
    await anEvent(path.customerId, call);
    expect(await available()).toBe(12);
  });

  // WAL-62: what is left of a gift → there until its end, and gone at it, with no debt; nothing of it is revenue
  check('WAL-62', async (t) => {
    const { call, path, until } = await aMarch(t);
    const grant = (amount: number, reason: string, expires_at: string) =>
      call('adjustWallet', {
        path,
        body: { transaction_id: uuid(), asset: 'USD', amount, reason, expires_at },
      });
    await grant(7, 'gift', '2026-03-10T00:00:00Z');
    await grant(3, 'external_topup', '2026-03-20T00:00:00Z');
    await call('chargeWallet', { path, body: { transaction_id: uuid(), asset: 'USD', amount: 2 } });
    const state = async () => [
      (await call('getWallet', { path })).accounts[0].available,
      (await call('getCustomerStats', { path })).gross_revenue,
    ];

    await until('2026-03-09T23:59:59.999Z');
    expect(await state()).toEqual([8, 0]);
    await until('2026-03-10T00:00:00.000Z');
    expect(await state()).toEqual([3, 0]);
    // What was paid for and lapses has brought in what was paid.
    await until('2026-03-20T00:00:00.000Z');
    expect(await state()).toEqual([0, 3]);
  });

  // CUS-58: fees of three days and of another month → revenue of each period by its days, the first and last included; of
  // the month so far by default
  check('CUS-58', async (t) => {
    const { call, path, until } = await aMarch(t);
    const { id } = await aPlan(call, [aUnitPrice('call', 1)]);
    await call('createSubscription', { path, body: { products: [{ id }] } });
    const days = ['2026-03-01T12:00:00.000Z', '2026-03-30T23:59:59.999Z'];
    for (const day of [...days, '2026-03-31T00:00:00.000Z', '2026-04-02T12:00:00.000Z']) {
      if (day !== days[0]) await until(day);
      await anEvent(path.customerId, call);
    }
    const revenue = async (query: object) => {
      const { summary, period_from, period_to } = await call('listCustomerStats', {
        query: query as never,
      });
      return [period_from, period_to, summary.gross_revenue];
    };
    const inPeriod = (period_from: string, period_to: string) =>
      revenue({ period_from, period_to });

    expect(await revenue({})).toEqual(['2026-04-01', '2026-04-02', 1]);
    expect(await inPeriod('2026-03-01', '2026-03-31')).toEqual(['2026-03-01', '2026-03-31', 3]);
    expect(await inPeriod('2026-03-02', '2026-03-30')).toEqual(['2026-03-02', '2026-03-30', 1]);
    expect(await inPeriod('2026-03-31', '2026-04-01')).toEqual(['2026-03-31', '2026-04-01', 1]);
  });

  // AST-44: rate from tomorrow until the day after → the former until then, the rate for a day, then none
  check('AST-44', async (t) => {
    const { call, until } = await aMarch(t);
    const rates = [{ source: 'USD', rate: 2 }];
    await call('createAsset', { body: { code: 'COINS', name: 'Coins', precision: 4, rates } });
    const path = { assetCode: 'COINS' };
    const period = { valid_from: '2026-03-02T00:00:00Z', valid_to: '2026-03-03T00:00:00Z' };
    await call('setAssetRate', { path, body: { source: 'USD', rate: 4, ...period } });
    const quoted = async () =>
      (await call('quoteAsset', { path, body: { source: 'USD', amount: 8 } })).destination_amount;

    expect(await quoted()).toBe(4);
    await until('2026-03-01T23:59:59.999Z');
    expect(await quoted()).toBe(4);
    await until('2026-03-02T00:00:00.000Z');
    expect(await quoted()).toBe(2);
    await until('2026-03-03T00:00:00.000Z');
    await expect(quoted()).rejects.toThrow('422');
  });

  // POR-07: link into the portal → opens it for 10 minutes, then leads to the failure address
  check('POR-07', async (t) => {
    const { call, path, until } = await aMarch(t);
    const { redirect_url, expires_at } = await call('createPortalSession', {
      body: { customer_id: path.customerId, ...ADDRESSES },
    });
    const leadsAway = async () => {
      const { status, headers } = await fetch(redirect_url, { redirect: 'manual' });
      return status >= 300 && headers.get('location') === ADDRESSES.failure_url;
    };

    expect(expires_at).toBe('2026-03-01T12:10:00.000Z');
    await until('2026-03-01T12:09:59.999Z');
    expect([await leadsAway(), (await pageAt(redirect_url)).status < 400]).toEqual([false, true]);
    await until('2026-03-01T12:10:00.000Z');
    expect(await leadsAway()).toBe(true);
  });
});
