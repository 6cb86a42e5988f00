import { beforeEach, describe, expect, it } from 'vitest';
import {
  EVERY_DAY,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  PER_IMAGE,
} from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';
import { aStory, START, type Story } from '../../testing/story.ts';

let ann: Story;
beforeEach(async () => {
  ann = await aStory({ now: TEST_NOW });
});

describe('a subscription that is paid', () => {
  it('keeps a requested renews_at, or renews a month later if that has passed', async () => {
    await ann.product('plan', { prices: [fixedPrice(20)] });
    const renews_at = '2026-01-20T00:00:00.000Z';
    const early = await ann.subscribeTo('plan', { renews_at });
    const late = await ann.subscribeTo('plan', { renews_at });
    await ann.settle(early.id);
    await ann.setClock('2026-01-21T00:00:00Z');
    await ann.settle(late.id);

    expect((await ann.subscription(early.id)).renews_at).toBe(renews_at);
    expect((await ann.subscription(late.id)).renews_at).toBe('2026-02-20T00:00:00.000Z');
  });

  it('starts at the payment if starts_at has passed', async () => {
    await ann.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await ann.subscribeTo('plan', { starts_at: '2026-01-16T00:00:00Z' });
    await ann.setClock('2026-01-17T00:00:00Z');
    await ann.settle(id);

    expect(await ann.subscription(id)).toMatchObject({
      started_at: '2026-01-17T00:00:00.000Z',
      renews_at: '2026-02-17T00:00:00.000Z',
    });
  });
});

describe('entitlements that refresh', () => {
  it('store the time of the earliest next refresh', async () => {
    await ann.product('daily', { entitlements: [entitlement(50, EVERY_DAY)] });
    await ann.product('monthly', { entitlements: [entitlement(900, EVERY_MONTH)] });
    const { id } = await ann.subscribeTo(['monthly', 'daily']);
    const refreshesAt = () => ann.world().tables.subscriptions.get(id)?.refreshes_at;
    expect(refreshesAt()).toBe('2026-01-16T12:00:00.000Z');

    await ann.advance('2026-01-16T12:00:00Z');

    // The credit of the first day has expired.
    const left = (await ann.grants()).map(({ available }) => available);
    expect(left.toReversed()).toEqual([900, 0, 50]);
    expect(refreshesAt()).toBe('2026-01-17T12:00:00.000Z');
  });
});

const MONTHLY = entitlement(1000, EVERY_MONTH);
const WEEKLY = entitlement(100, { lifecycle: { ...EVERY_MONTH.lifecycle, duration: 'week' } });

/** A subscriber of a plan, whose version 2 has other contents. */
async function aPlan(first: object, second: object, now = START) {
  const acme = await aStory({ now });
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

    const expiries = (await acme.grants()).map(({ expires_at }) => expires_at);
    expect(expiries.toReversed()).toEqual(['2026-02-28T10:00:00.000Z', '2026-04-30T10:00:00.000Z']);
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
