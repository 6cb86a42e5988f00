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
