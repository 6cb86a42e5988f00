import { describe, expect, it } from 'vitest';
import { entitlement, fixedPrice, ONE_MONTH, PER_IMAGE } from '../testing/catalog.ts';
import { aStory, CONTENT, DECLINES_LATER, linesOf, START, useImage } from '../testing/story.ts';

describe('a subscription with starts_at in the future', () => {
  const starts_at = '2026-02-10T00:00:00Z';

  it('becomes active at that instant if it is free', async () => {
    const acme = await aStory(START);
    await acme.product('free', {
      prices: [PER_IMAGE],
      entitlements: [entitlement(500, ONE_MONTH)],
    });
    const { id } = await acme.subscribeTo('free', { starts_at });
    expect((await acme.subscription(id)).status).toBe('scheduled');
    expect(await useImage(acme)).toEqual([]);

    const { items } = await acme.advance('P1M');
    expect(items).toMatchObject([
      {
        at: '2026-02-10T00:00:00.000Z',
        kind: 'start',
        outcome: 'active',
        movements: [{ source: 'entitlement', amount: 500 }],
        webhook_event_ids: [expect.stringMatching(/^evt_/)],
      },
    ]);
    expect(await useImage(acme)).toHaveLength(1);
  });

  it('gets its credit at that instant if it was paid before', async () => {
    const acme = await aStory(START);
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan', { starts_at });
    await acme.settle(id);
    expect(await acme.subscription(id)).toMatchObject({
      status: 'active',
      started_at: '2026-02-10T00:00:00.000Z',
      renews_at: '2026-03-10T00:00:00.000Z',
    });
    expect(await useImage(acme)).toEqual([]);
    expect(await acme.grants()).toEqual([]);

    expect(linesOf(await acme.advance('2026-03-10T00:00:00Z'))).toEqual([
      '2026-02-10T00:00Z start active',
      '2026-03-10T00:00Z grant_expiry',
      '2026-03-10T00:00Z renewal collected',
      '2026-03-10T00:00Z refresh',
    ]);
    expect(await acme.activations()).toBe(1);
  });
});

describe('an inactive subscription', () => {
  it('grants rollover credit again on reactivation only if that starts a paid period', async () => {
    const acme = await aStory(START);
    const lifecycle = { duration: 'month', refresh: { strategy: 'rollover' } };
    const rolling = entitlement(500, { lifecycle });
    await acme.product('free', { prices: [PER_IMAGE], entitlements: [rolling] });
    await acme.product('paid', { prices: [fixedPrice(20)], entitlements: [rolling] });
    const free = await acme.subscribeTo('free');
    await acme.update(free.id, { status: 'inactive' });
    await acme.update(free.id, { status: 'active' });
    expect(await acme.balance()).toBe(500);

    const paid = await acme.subscribeTo('paid');
    await acme.settle(paid.id);
    await acme.update(paid.id, { status: 'inactive' });
    await acme.update(paid.id, { status: 'active' });
    expect(await acme.balance()).toBe(1500);
  });

  it.each([
    ['without a fee', 0, {}],
    ['and the saved card pays', 20, {}],
    ['and paid by its link', 20, DECLINES_LATER],
  ])('starts when it is reactivated before its starts_at %s', async (_, fee, method) => {
    const acme = await aStory(START);
    const credit = entitlement(500, ONE_MONTH);
    await acme.product('plan', { prices: [fixedPrice(fee), PER_IMAGE], entitlements: [credit] });
    const { id } = await acme.subscribeTo('plan', { starts_at: '2026-03-10T00:00:00Z' });
    if (fee > 0) await acme.settle(id, 'succeeded', method);
    await acme.update(id, { status: 'inactive' });
    await acme.advance('2026-02-05T00:00:00Z');

    await acme.update(id, { status: 'active', renews_at: '2026-02-20T00:00:00Z' });
    if ('payment_method' in method) await acme.settle(id);
    expect(await acme.subscription(id)).toMatchObject({
      status: 'active',
      started_at: '2026-02-05T00:00:00.000Z',
      renews_at: '2026-02-20T00:00:00.000Z',
    });
    expect([await acme.balance(), (await useImage(acme)).length]).toEqual([500, 1]);
  });

  it('has no payment link that could expire', async () => {
    const acme = await aStory(START);
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.update(id, { status: 'inactive' });

    expect((await acme.advance('P1Y')).total_count).toBe(0);
  });
});
