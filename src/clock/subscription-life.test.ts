import { describe, expect, it } from 'vitest';
import { entitlement, fixedPrice, PER_IMAGE } from '../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../testing/client.ts';
import { aStory, aSubscriber, CONTENT, DECLINES_LATER, linesOf } from '../testing/story.ts';

const linkOf = ({ required_actions }: AnyBody): string => required_actions[0].redirect_url;

describe('a subscription renewal', () => {
  it('charges the last used card, counts as revenue and refreshes credit', async () => {
    const { acme, id } = await aSubscriber();

    expect(linesOf(await acme.advance('2026-02-28T10:00:00Z'))).toEqual([
      '2026-02-28T10:00Z grant_expiry',
      '2026-02-28T10:00Z renewal collected',
      '2026-02-28T10:00Z refresh',
    ]);
    expect(await acme.subscription(id)).toMatchObject({
      status: 'active',
      started_at: '2026-01-31T10:00:00.000Z',
      renews_at: '2026-03-31T10:00:00.000Z',
    });
    expect(await acme.revenue()).toBe(40);
    expect(await acme.activations()).toBe(1);
  });

  it('that is declined bills no usage until paid, with past_due_usage free', async () => {
    const acme = await aStory({ client: createTestClient({ past_due_usage: 'free' }) });
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'succeeded', DECLINES_LATER);
    await acme.advance('2026-02-28T10:00:00Z');
    expect(await acme.use('image.generated')).toEqual([]);
    await acme.settle(id);

    expect(await acme.use('image.generated')).toMatchObject([{ currency: 'EUR', amount: 0.5 }]);
  });

  it('that was declined replaces its payment link each day', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    await acme.advance('2026-02-28T10:00:00Z');
    const first = linkOf(await acme.subscription(id));

    expect(linesOf(await acme.advance('P3D'))).toEqual([
      '2026-03-01T10:00Z payment_link_expiry replaced',
      '2026-03-02T10:00Z payment_link_expiry replaced',
      '2026-03-03T10:00Z payment_link_expiry replaced',
    ]);
    expect(linkOf(await acme.subscription(id))).not.toBe(first);
  });

  it('without a fixed fee repeats the span until renews_at and charges nothing', async () => {
    const acme = await aStory();
    await acme.product('usage', { prices: [PER_IMAGE] });
    const { id } = await acme.subscribeTo('usage', { renews_at: '2026-02-10T10:00:00Z' });

    expect(linesOf(await acme.advance('P25D'))).toEqual([
      '2026-02-10T10:00Z renewal renewed',
      '2026-02-20T10:00Z renewal renewed',
    ]);
    expect((await acme.subscription(id)).renews_at).toBe('2026-03-02T10:00:00.000Z');
  });
});

describe('an inactive subscription', () => {
  it.each([
    ['without a fee', 0, {}],
    ['and the saved card pays', 20, {}],
    ['and paid by its link', 20, DECLINES_LATER],
  ])('starts when it is reactivated before its starts_at %s', async (_, fee, method) => {
    const acme = await aStory();
    const credit = entitlement(500, { lifecycle: { duration: 'month' } });
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
    expect([await acme.balance(), (await acme.use('image.generated')).length]).toEqual([500, 1]);
  });

  it('has no payment link that could expire', async () => {
    const acme = await aStory();
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.update(id, { status: 'inactive' });

    expect((await acme.advance('P1Y')).total_count).toBe(0);
  });
});

describe('a changed interval', () => {
  const weekly = fixedPrice(5, 'week');

  it('of months to weeks and back keeps it too', async () => {
    const acme = await aStory();
    const productId = await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id);
    await acme.version(productId, { prices: [weekly] });
    await acme.change(id, productId, 2);
    // 28 February by the month, then weeks: 7 March.
    await acme.advance('2026-03-08T00:00:00Z');
    await acme.change(id, productId, 1);

    const { items } = await acme.advance('P2M');

    expect(items.map(({ at }: AnyBody) => at.slice(0, 10))).toEqual(['2026-03-14', '2026-04-30']);
  });
});
