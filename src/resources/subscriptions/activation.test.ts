import { describe, expect, it } from 'vitest';
import {
  EVERY_DAY,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  inWorld,
  PER_IMAGE,
  URLS,
} from '../../testing/catalog.ts';
import { aStory, openBuyer, START, type Story } from '../../testing/story.ts';
import { grantEntitlements } from './entitlements.ts';

const buyer = openBuyer();
const { product, show, grants: granted, setClock, act, pay } = buyer;
const subscribe = async (body: object): Promise<string> =>
  (await buyer.subscribe({ ...URLS, ...body })).id;

describe('a subscription that is paid', () => {
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
});

const MONTHLY = entitlement(1000, EVERY_MONTH);
const WEEKLY = entitlement(100, { lifecycle: { ...EVERY_MONTH.lifecycle, duration: 'week' } });

/** A subscriber of a plan, whose version 2 has other contents. */
async function aPlan(first: object, second: object, now = START) {
  const acme = await aStory(now);
  const productId = await acme.product('plan', { prices: [PER_IMAGE], ...first });
  await acme.version(productId, { prices: [PER_IMAGE], entitlements: [], ...second });
  const { id } = await acme.subscribeTo('plan');
  return { acme, id: id as string, change: (to: number) => acme.change(id, productId, to) };
}

const stop = (acme: Story, id: string) => acme.update(id, { status: 'inactive' });
const resume = (acme: Story, id: string) => acme.update(id, { status: 'active' });

async function balances(acme: Story, ...moments: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const moment of moments) {
    await acme.advance(moment);
    found.push(await acme.balance());
  }
  return found;
}

describe('a resumption without a fee', () => {
  it('gives credit that a version brought back if its refresh day passed in the meantime', async () => {
    const { acme, id, change } = await aPlan({ entitlements: [MONTHLY] }, {});
    await change(2);
    await acme.advance('2026-03-10T00:00:00Z');
    await change(1);
    await stop(acme, id);
    await acme.advance('2026-04-02T00:00:00Z');
    await resume(acme, id);

    expect((await acme.grants()).map(({ expires_at }) => expires_at)).toEqual([
      '2026-02-28T10:00:00.000Z',
      '2026-04-30T10:00:00.000Z',
    ]);
  });

  it('gives no credit that a version brought back while it was stopped', async () => {
    const { acme, id, change } = await aPlan({ entitlements: [MONTHLY] }, {});
    await change(2);
    await acme.advance('2026-03-10T00:00:00Z');
    await stop(acme, id);
    await acme.advance('2026-04-02T00:00:00Z');
    await change(1);
    await resume(acme, id);

    expect(await acme.balance()).toBe(0);
    expect(await balances(acme, '2026-04-30T10:00:00Z')).toEqual([1000]);
  });
});

describe('the late payment of a renewal', () => {
  it('gives no credit that a version brought back and that waits for its refresh day', async () => {
    const fees = { prices: [fixedPrice(20)] };
    const start = '2026-02-01T12:00:00Z';
    const { acme, id, change } = await aPlan({ ...fees, entitlements: [WEEKLY] }, fees, start);
    await acme.settle(id);
    await change(2);
    await acme.advance('2026-03-30T12:00:00Z');
    await change(1);
    const path = { customerId: acme.customerId };
    await acme.api('setPaymentMethod', { path, body: { kind: 'none' } }, 204);
    await acme.advance('2026-04-02T12:00:00Z');
    await acme.settle(id);

    expect(await acme.balance()).toBe(0);
    expect(await balances(acme, '2026-04-05T12:00:00Z', '2026-04-12T12:00:00Z')).toEqual([
      100, 100,
    ]);
  });
});
