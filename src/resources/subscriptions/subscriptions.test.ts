import { beforeEach, describe, expect, it } from 'vitest';
import { fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { TEST_NOW } from '../../testing/client.ts';
import { aStory, type Story } from '../../testing/story.ts';

let acme: Story;
beforeEach(async () => {
  acme = await aStory({ now: TEST_NOW });
});

async function subscribeToPlan(content: object, terms: object = {}) {
  const productId = await acme.product('plan', content);
  const { id } = await acme.subscribe({ products: [{ code: 'plan' }], ...terms });
  return { productId, subscriptionId: id as string };
}

const show = async (place = 0) => (await acme.subscriptions())[place];

describe('updateSubscription, status', () => {
  it('rejects activation of an unpaid subscription, together with other errors', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);

    const body = { status: 'active', renews_at: '2026-01-15T12:00:00Z', return_url: null };
    const { errors } = await acme.update(subscriptionId, body, 422);

    expect(Object.keys(errors)).toEqual(['status', 'renews_at', 'return_url']);
    expect((await show()).status).toBe('action_required');
  });
});

describe('createSubscription validation', () => {
  it('rejects a renewal before now even if it is after the start', async () => {
    const { productId, subscriptionId } = await subscribeToPlan({ prices: [PER_IMAGE] });
    const starts_at = '2026-01-10T12:00:00Z';
    const between = { starts_at, renews_at: '2026-01-15T12:00:00Z', ...URLS };
    const path = { customerId: acme.customerId, subscriptionId };
    const body = { renews_at: between.renews_at, ...URLS };

    const created = await acme.subscribe({ products: [{ id: productId }], ...between }, 422);
    const updated = await acme.api('updateSubscription', { path, body }, 422);

    const expected = ['Expected a time after now and after the start of the subscription.'];
    expect(created.errors).toEqual({ renews_at: expected });
    expect(updated.errors).toEqual({ renews_at: expected });
    const later = { ...between, renews_at: '2026-01-15T12:00:00.001Z' };
    await acme.subscribe({ products: [{ id: productId }], ...later });
    expect(await show(1)).toMatchObject({
      started_at: '2026-01-10T12:00:00.000Z',
      renews_at: '2026-01-15T12:00:00.001Z',
    });
  });

  it('reports an unknown customer together with the errors of the body', async () => {
    const path = { customerId: 'cust_nothing' };
    const body = { products: [{ code: 'nothing' }] };

    const { errors } = await acme.api('createSubscription', { path, body }, 422);

    expect(Object.keys(errors)).toEqual(['customerId', 'products[0].code']);
  });
});
