import { describe, expect, it } from 'vitest';
import { EVERY_MONTH, entitlement, fixedPrice, PER_IMAGE } from '../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../testing/client.ts';
import {
  aStory,
  aSubscriber,
  CONTENT,
  DECLINES_LATER,
  linesOf,
  START,
  useImage,
} from '../testing/story.ts';

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

  it('that is declined requires payment by link, grants no credit and still bills usage', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    const { items } = await acme.advance('2026-02-28T10:00:00Z');

    expect(items.map(({ kind, outcome }: AnyBody) => [kind, outcome])).toEqual([
      ['grant_expiry', undefined],
      ['renewal', 'declined'],
    ]);
    expect(items[1]).toMatchObject({ fee: { currency: 'USD', amount: 20 }, movements: [] });
    const waiting = await acme.subscription(id);
    expect(waiting.status).toBe('action_required');
    expect(linkOf(waiting)).toContain('/hosted/checkout/');
    expect(await useImage(acme)).toMatchObject([{ currency: 'EUR', amount: 0.5 }]);
    expect([await acme.balance(), await acme.balance('EUR')]).toEqual([0, -0.5]);
  });

  it('that is declined bills no usage until paid, with past_due_usage free', async () => {
    const acme = await aStory(START, createTestClient({ past_due_usage: 'free' }));
    await acme.product('plan', CONTENT);
    const { id } = await acme.subscribeTo('plan');
    await acme.settle(id, 'succeeded', DECLINES_LATER);
    await acme.advance('2026-02-28T10:00:00Z');
    expect(await useImage(acme)).toEqual([]);
    await acme.settle(id);

    expect(await useImage(acme)).toMatchObject([{ currency: 'EUR', amount: 0.5 }]);
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

  it('that is paid late keeps its anchor and covers the rest of the period', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    await acme.advance('2026-03-10T00:00:00Z');
    await acme.settle(id);

    expect(await acme.subscription(id)).toMatchObject({
      status: 'active',
      renews_at: '2026-03-31T10:00:00.000Z',
      required_actions: [],
    });
    expect(await acme.activations()).toBe(2);
    expect(await acme.balance()).toBe(1000);
    expect((await acme.grants()).at(-1).expires_at).toBe('2026-03-31T10:00:00.000Z');
    expect(await acme.revenue()).toBe(40);
    expect(linesOf(await acme.advance('2026-04-01T00:00:00Z'))).toEqual([
      '2026-03-31T10:00Z grant_expiry',
      '2026-03-31T10:00Z renewal collected',
      '2026-03-31T10:00Z refresh',
    ]);
  });

  it('that was declined for several periods is paid once', async () => {
    const { acme, id } = await aSubscriber(DECLINES_LATER);
    await acme.advance('2026-06-15T00:00:00Z');
    await acme.settle(id);

    expect(await acme.revenue()).toBe(40);
    expect((await acme.subscription(id)).renews_at).toBe('2026-06-30T10:00:00.000Z');
    expect(await acme.balance()).toBe(1000);
  });

  it('without a fixed fee repeats the span until renews_at and charges nothing', async () => {
    const acme = await aStory(START);
    await acme.product('usage', { prices: [PER_IMAGE] });
    const { id } = await acme.subscribeTo('usage', { renews_at: '2026-02-10T10:00:00Z' });

    expect(linesOf(await acme.advance('P25D'))).toEqual([
      '2026-02-10T10:00Z renewal renewed',
      '2026-02-20T10:00Z renewal renewed',
    ]);
    expect((await acme.subscription(id)).renews_at).toBe('2026-03-02T10:00:00.000Z');
  });
});

describe('a change of the product version', () => {
  it('prices usage at once, changes the fee at the renewal and the credit at the refresh', async () => {
    const { acme, id, productId } = await aSubscriber();
    await acme.version(productId, {
      prices: [fixedPrice(50), { ...PER_IMAGE, pricing: pricingOf(0.25) }],
      entitlements: [entitlement(3000, EVERY_MONTH)],
    });
    await acme.advance('2026-02-10T00:00:00Z');
    await acme.change(id, productId, 2);

    expect(await useImage(acme)).toMatchObject([{ amount: 0.25, product_version: 2 }]);
    expect(await acme.balance()).toBe(1000);
    const { items } = await acme.advance('2026-02-28T10:00:00Z');
    expect(items).toMatchObject([
      { kind: 'grant_expiry' },
      { kind: 'renewal', fee: { amount: 50 } },
      { kind: 'refresh', movements: [{ amount: 3000 }] },
    ]);

    await acme.change(id, productId, 1);
    expect(await useImage(acme)).toMatchObject([{ amount: 0.5, product_version: 1 }]);
    expect(await acme.balance()).toBe(3000);
    await acme.advance('P1M');
    await acme.advance('P1M');
    expect(await acme.balance()).toBe(1000);
  });

  it('that brings an entitlement back after its refresh grants it on the next refresh day', async () => {
    const { acme, id, productId } = await aSubscriber();
    await acme.version(productId, { prices: [fixedPrice(20)], entitlements: [] });
    await acme.change(id, productId, 2);
    await acme.advance('2026-03-10T00:00:00Z');
    await acme.change(id, productId, 1);
    const balances = [await acme.balance()];
    for (const day of ['2026-03-31', '2026-04-30', '2026-05-01']) {
      await acme.advance(`${day}T10:00:00Z`);
      balances.push(await acme.balance());
    }

    expect(balances).toEqual([0, 1000, 1000, 1000]);
  });
});

function pricingOf(unit_price: number) {
  return [{ asset: 'EUR', values: [{ unit_price }] }];
}
