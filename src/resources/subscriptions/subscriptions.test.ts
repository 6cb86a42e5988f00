import { beforeEach, describe, expect, it } from 'vitest';
import { entitlement, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { type AnyBody, TEST_NOW } from '../../testing/client.ts';
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

describe('createSubscription', () => {
  it('opens a wallet account for every asset of prices and entitlements', async () => {
    const prices = [fixedPrice(20), PER_IMAGE];
    await acme.product('paid', { prices, entitlements: [entitlement(5)] });

    await acme.subscribe({ products: [{ code: 'paid' }], ...URLS });

    const path = { customerId: acme.customerId };
    const { accounts } = await acme.api('getWallet', { path });
    expect(accounts.map(({ id }: AnyBody) => id)).toEqual([
      'default:USD',
      'default:EUR',
      'default:CREDIT',
    ]);
  });
});

describe('updateSubscription, status', () => {
  it('rejects activation of an unpaid subscription, together with other errors', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [fixedPrice(20)] }, URLS);

    const body = { status: 'active', renews_at: '2026-01-15T12:00:00Z', return_url: null };
    const { errors } = await acme.update(subscriptionId, body, 422);

    expect(Object.keys(errors)).toEqual(['status', 'renews_at', 'return_url']);
    expect((await show()).status).toBe('action_required');
  });
});

describe('updateSubscription, other fields', () => {
  it('adds a renewal to a perpetual subscription, and removes it', async () => {
    const { subscriptionId } = await subscribeToPlan({ prices: [PER_IMAGE] });
    const renews_at = '2026-01-20T00:00:00.000Z';
    const { errors } = await acme.update(subscriptionId, { renews_at }, 422);
    expect(Object.keys(errors)).toEqual(['return_url', 'failure_url']);
    await acme.update(subscriptionId, { renews_at, ...URLS });
    expect((await show()).renews_at).toBe(renews_at);

    await acme.update(subscriptionId, { renews_at: null, return_url: null, failure_url: null });

    expect(await show()).not.toHaveProperty('renews_at');
  });
});

describe('createSubscription validation', () => {
  it('rejects unpublished versions and ambiguous products, each at its field', async () => {
    const draft = { publish: false, prices: [PER_IMAGE] };
    await acme.product('draft', draft);
    const archived = await acme.product('archived', { prices: [PER_IMAGE] });
    const gone = await acme.product('gone', { prices: [PER_IMAGE] });
    await acme.subscribe({ products: [{ code: 'gone' }] });
    await acme.api('archiveProductVersion', { path: { productId: archived, version: 1 } }, 204);
    await acme.api('deleteProduct', { path: { productId: gone } }, 204);
    const other = await acme.product('other', { prices: [PER_IMAGE] });

    const { errors } = await acme.subscribe(
      {
        products: [
          { code: 'draft', version: 1 },
          { code: 'archived', version: 1 },
          { id: archived },
          { id: gone },
          { id: other, version: 2 },
          { id: other, code: 'draft' },
          { code: 'other' },
          {},
        ],
      },
      422,
    );

    expect(Object.keys(errors)).toEqual([
      'products[0].version',
      'products[1].version',
      'products[2].id',
      'products[2].version',
      'products[3].id',
      'products[4].version',
      'products[5].code',
      'products[6].code',
      'products[7].id',
    ]);
    expect(errors['products[0].version'][0]).toContain('published');
    expect(errors['products[6].code'][0]).toContain('once');
  });

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
