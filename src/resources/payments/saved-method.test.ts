import { describe, expect, it } from 'vitest';
import { fixedPrice, PER_IMAGE } from '../../testing/catalog.ts';
import type { AnyBody } from '../../testing/client.ts';
import { aStory, type Story } from '../../testing/story.ts';

const GOOD = { kind: 'card', last4: '4242' };
const DECLINING = { kind: 'card', last4: '0341', declines_later: true };
const FIRST_RENEWAL = '2026-02-28T10:00:00Z';

const whose = ({ customerId }: Story) => ({ path: { customerId } });
const save = (acme: Story, body: object) =>
  acme.api('setPaymentMethod', { ...whose(acme), body }, 204);
const remove = (acme: Story) =>
  acme.api('setPaymentMethod', { ...whose(acme), body: { kind: 'none' } }, 204);
const status = async (acme: Story, id: string) => (await acme.subscription(id)).status;

/** A customer on a free plan, whose version 2 has other prices. */
async function aFreePlan(prices: object[]) {
  const acme = await aStory();
  const productId = await acme.product('plan', { prices: [PER_IMAGE] });
  await acme.version(productId, { prices });
  const { id } = await acme.subscribeTo('plan');
  return { acme, id: id as string, productId };
}

/** A customer whose renewals of 20 and 5 were not paid. */
async function twoUnpaid(method?: object) {
  const acme = await aStory();
  await acme.product('plan', { prices: [fixedPrice(20)] });
  await acme.product('extra', { prices: [fixedPrice(5)] });
  const ids: string[] = [];
  for (const code of ['plan', 'extra']) {
    const { id } = await acme.subscribeTo(code);
    await acme.settle(id);
    ids.push(id);
  }
  if (method) await save(acme, method);
  else await remove(acme);
  const { items } = await acme.advance(FIRST_RENEWAL);
  return { acme, ids, outcomes: items.map(({ outcome }: AnyBody) => outcome) };
}

describe('the saved payment method', () => {
  it('pays by the card of another subscription, whatever paid before', async () => {
    const { acme, id, productId } = await aFreePlan([fixedPrice(20)]);
    await acme.change(id, productId, 2);
    await acme.product('extra', { prices: [fixedPrice(5)] });
    const extra = await acme.subscribeTo('extra');
    await acme.settle(extra.id);
    await acme.advance(FIRST_RENEWAL);

    // 5 at once; 20 and 5 at the renewals.
    expect([await status(acme, id), await acme.revenue()]).toEqual(['active', 30]);
  });

  it('does not pay the first fee of a subscription', async () => {
    const acme = await aStory();
    await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id } = await acme.subscribeTo('plan');
    await save(acme, GOOD);

    expect([await status(acme, id), await acme.revenue()]).toEqual(['action_required', 0]);
  });
});

describe('a renewal that is not paid', () => {
  it('says whether a card was tried', async () => {
    expect((await twoUnpaid(DECLINING)).outcomes).toEqual(['declined', 'declined']);
    expect((await twoUnpaid()).outcomes).toEqual(['no_payment_method', 'no_payment_method']);
  });

  it('is not paid by the link of the period before', async () => {
    const acme = await aStory();
    await acme.product('plan', { prices: [fixedPrice(20)] });
    const { id, required_actions } = await acme.subscribeTo('plan');
    const former = required_actions[0].redirect_url.slice(-43);
    const settleFormer = (outcome: string, expected: number) =>
      acme.api('settlePayment', { path: { id: former }, body: { outcome } }, expected);
    await settleFormer('succeeded', 200);
    await remove(acme);
    await acme.advance(FIRST_RENEWAL);
    const due = await acme.subscription(id);

    expect(await settleFormer('succeeded', 200)).toMatchObject({
      status: 'action_required',
      changed: false,
    });
    await settleFormer('failed', 422);
    expect([await acme.subscription(id), await acme.revenue()]).toEqual([due, 20]);
  });

  it('stays unpaid if the saved card would be declined too, or money is on its way', async () => {
    const { acme, ids } = await twoUnpaid();
    const [first, second] = ids as [string, string];
    await save(acme, DECLINING);
    expect(await acme.revenue()).toBe(25);

    await acme.settle(first, 'processing');
    await save(acme, GOOD);
    expect([await status(acme, first), await status(acme, second)]).toEqual([
      'action_required',
      'active',
    ]);
    expect(await acme.revenue()).toBe(30);
    await acme.advance('P1D');
    expect(await acme.revenue()).toBe(50);
  });
});
