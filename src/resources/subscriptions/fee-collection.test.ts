import { describe, expect, it } from 'vitest';
import { EVERY_MONTH, entitlement, fixedPrice, usagePrice } from '../../testing/catalog.ts';
import type { AnyBody } from '../../testing/client.ts';
import { aStory, type Story } from '../../testing/story.ts';

/** 1,000 credits a month at 0.02, with a fee of 20; a call uses ten credits. */
const perCall = usagePrice({ asset: 'CREDIT', values: [{ unit_price: 10 }] });
const valued = (revenue_basis: number, more: object = EVERY_MONTH) => ({
  purpose: 'bundled',
  accounting: { revenue_basis },
  ...more,
});
const PLAN = {
  prices: [fixedPrice(20), perCall],
  entitlements: [entitlement(1000, valued(0.02))],
};

const WEEKLY = {
  prices: [fixedPrice(20), perCall],
  entitlements: [
    entitlement(100, valued(0.05, { lifecycle: { ...EVERY_MONTH.lifecycle, duration: 'week' } })),
  ],
};

async function aPaidStory(content: object = PLAN, more: object = {}) {
  const story = await aStory({ now: '2026-02-01T12:00:00Z' });
  const productId = await story.product('plan', content);
  const { id } = await story.subscribeTo('plan', more);
  await story.settle(id);
  return { ...story, id, productId };
}

/** Revenue after each advance. */
async function revenues({ advance, revenue }: Story, ...moments: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const moment of moments) {
    await advance(moment);
    found.push(await revenue());
  }
  return found;
}

describe('a collected fee', () => {
  it('gives the share of an entitlement to its own grant, beside another of the same name', async () => {
    const story = await aPaidStory({
      prices: [fixedPrice(20), perCall],
      entitlements: [entitlement(100, valued(0)), entitlement(100, valued(0.05))],
    });
    expect(await story.revenue()).toBe(15);
    // The first 100 credits have no share; the second have 5.
    await story.use('call', 10);
    expect(await story.revenue()).toBe(15);
    await story.use('call', 10);
    expect(await story.revenue()).toBe(20);
  });

  it('is converted at the rate of the day on which it was collected', async () => {
    const story = await aStory({ now: '2026-02-01T12:00:00Z' });
    const rates = [{ source: 'USD', rate: 1.5 }];
    const { api } = story.client;
    await api('createAsset', { key: story.key, body: { code: 'EUR', name: 'Euro', rates } }, 201);
    await story.product('plan', { ...PLAN, prices: [fixedPrice(20, 'month', 'EUR'), perCall] });
    await story.settle((await story.subscribeTo('plan')).id);
    // 20 × 1.5 minus 1,000 × 0.02.
    expect(await story.revenue()).toBe(10);
    const path = { assetCode: 'EUR' };
    await api('setAssetRate', { key: story.key, path, body: { source: 'USD', rate: 9 } }, 204);
    await story.use('call', 50);
    expect(await story.revenue()).toBe(20);
  });

  it('counts its deferred part when the next fee is collected earlier than planned', async () => {
    const story = await aPaidStory(WEEKLY);
    await story.update(story.id, { renews_at: '2026-02-10T12:00:00Z' });
    // 5 ended on the 8th. On the 10th the 10 of two weeks count, and the next 20 are deferred over
    // 15 and 22 February, 1 and 8 March.
    expect(await revenues(story, '2026-02-10T11:00:00Z', '2026-02-10T12:00:00Z')).toEqual([5, 15]);
    expect(await revenues(story, '2026-02-15T12:00:00Z')).toEqual([20]);
    expect(await revenues(story, '2026-03-10T11:00:00Z')).toEqual([35]);
  });

  it('is not deferred for the credit of another product without a fee', async () => {
    const story = await aStory({ now: '2026-02-01T12:00:00Z' });
    await story.product('paid', { prices: [fixedPrice(20)] });
    await story.product('free', { prices: [perCall], entitlements: PLAN.entitlements });
    await story.settle((await story.subscribeTo(['paid', 'free'])).id);
    expect(await story.revenue()).toBe(20);
    await story.use('call');
    expect(await story.revenue()).toBe(20.2);
    expect(await revenues(story, '2026-02-28T12:00:00Z')).toEqual([20.2]);
  });

  it.each([
    ['no recurring price', []],
    ['a recurring price of 0', [fixedPrice(0)]],
  ])('of a one-time price defers nothing to later credit with %s', async (_, recurring) => {
    const setup = { ...fixedPrice(15), name: 'Setup', billing_model: { type: 'one_time' } };
    const renews_at = '2026-03-01T12:00:00Z';
    const story = await aPaidStory(
      { ...WEEKLY, prices: [setup, ...recurring, perCall] },
      { renews_at },
    );
    // The first of four weeks has 5, until the 8th.
    expect(await story.revenue()).toBe(10);
    expect(await revenues(story, '2026-02-08T12:00:00Z', renews_at)).toEqual([15, 15]);
  });
});

describe('a fee that is due', () => {
  it('is that of the version in force, which cannot change while its payment is processing', async () => {
    const story = await aStory({ now: '2026-02-01T12:00:00Z' });
    const productId = await story.product('plan', { prices: [fixedPrice(20)] });
    for (const fee of [30, 40]) await story.version(productId, { prices: [fixedPrice(fee)] });
    const { id } = await story.subscribeTo('plan');
    await story.settle(id, 'processing');
    const { errors } = await story.change(id, productId, 2, 422);
    expect(Object.keys(errors)).toEqual(['version']);
    await story.change(id, productId, 1);
    await story.settle(id, 'failed');
    await story.change(id, productId, 2);
    await story.settle(id, 'processing');
    await story.advance('P1D');
    expect(await story.revenue()).toBe(30);

    const path = { customerId: story.customerId };
    await story.api('setPaymentMethod', { path, body: { kind: 'none' } }, 204);
    await story.advance('P1M');
    await story.change(id, productId, 3);
    await story.settle(id);
    expect(await story.revenue()).toBe(70);
  });
});

describe('the shares of a fee whose next renewal, moved earlier, is not paid', () => {
  /** Weeks of 1, 8, 15 and 22 February have 5 each; the renewal of the 10th fails. */
  async function aPastDueStory() {
    const story = await aPaidStory(WEEKLY);
    const path = { customerId: story.customerId };
    await story.api('setPaymentMethod', { path, body: { kind: 'none' } }, 204);
    await story.update(story.id, { renews_at: '2026-02-10T12:00:00Z' });
    return story;
  }

  it('are found by verifyLedger if nothing counts them', async () => {
    const story = await aPastDueStory();
    await story.advance('2026-02-10T12:00:00Z');
    expect((await story.api('verifyLedger')).sound).toBe(true);
    const table = story.world().tables.subscriptions as AnyBody;
    const row = table.get(story.id);
    table.set(story.id, { ...row, refreshes_at: '2026-02-22T12:00:00.000Z' });
    const { sound, findings } = await story.api('verifyLedger');
    table.set(story.id, row);

    expect(sound).toBe(false);
    expect(findings).toMatchObject([
      {
        invariant: 'fee_deferred',
        message: 'Expected due work by 2026-02-15T12:00:00.000Z, got 2026-02-22T12:00:00.000Z.',
      },
    ]);
  });
});
