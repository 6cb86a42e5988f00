import { beforeEach, describe, expect, it } from 'vitest';
import { fixedPrice, PER_IMAGE } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { aStory, DECLINES_LATER, type Story } from '../../testing/story.ts';

const IMAGES = {
  name: 'Images',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 0.5 }] }],
};

const MONTHLY_FEE = {
  name: 'Monthly fee',
  type: 'fixed',
  billing_model: { type: 'recurring', recurring: { interval: 'month' } },
  pricing: [{ asset: 'USD', values: [{ unit_price: 49 }] }],
};

const PAID = { outcome: 'succeeded' };

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

async function aProduct(code = 'studio'): Promise<string> {
  const product = { name: 'Studio', code, prices: [IMAGES], publish: true };
  return (await client.api('createProduct', { body: product }, 201)).id;
}

async function aCustomer(external_id: string, productId: string): Promise<string> {
  const subscriptions = [{ products: [{ id: productId }] }];
  const body = { name: external_id, external_id, subscriptions };
  return (await client.api('createCustomer', { body }, 201)).id;
}

async function subscribe(customerId: string, body: object): Promise<string> {
  const parts = { path: { customerId }, body };
  return (await client.api('createSubscription', parts, 201)).id;
}

describe('listSubscribers', () => {
  it('omits subscriptions that never started or are inactive', async () => {
    const productId = await aProduct();
    const paid = { prices: [MONTHLY_FEE], publish: true };
    await client.api('createProductVersion', { path: { productId }, body: paid }, 201);
    const customerId = await aCustomer('acme', productId);
    const subscription = {
      products: [{ id: productId, version: 2 }],
      return_url: 'https://shop.example.com/paid',
      failure_url: 'https://shop.example.com/failed',
    };
    const waiting = await subscribe(customerId, subscription);
    const list = async () =>
      (await client.api('listSubscribers', { path: { productId } }, 200)).items;

    const [active] = await list();
    expect(active).toMatchObject({ subscription_status: 'active', version: 1 });

    const end = async (subscriptionId: string) =>
      client.api(
        'updateSubscription',
        { path: { customerId, subscriptionId }, body: { status: 'inactive' } },
        204,
      );
    await end(active.subscription_id);
    expect(await list()).toEqual([]);

    await client.control('settlePayment', { path: { id: waiting }, body: PAID }, 200);
    expect(await list()).toMatchObject([
      {
        subscription_id: waiting,
        subscription_status: 'active',
        renews_at: '2026-02-15T12:00:00.000Z',
        version: 2,
      },
    ]);

    await end(waiting);
    expect(await list()).toEqual([]);
  });

  /** Subscribes to a plan that fails its renewal on 28 February, and to the same that starts on 15 March. */
  async function subscribeTwice(acme: Story) {
    const productId = await acme.product('plan', { prices: [fixedPrice(20), PER_IMAGE] });
    const listed = async () => {
      const { items } = await acme.api('listSubscribers', { path: { productId } }, 200);
      return items.map(({ subscription_id }: AnyBody) => subscription_id);
    };
    const pastDue = await acme.subscribeTo('plan');
    await acme.settle(pastDue.id, 'succeeded', DECLINES_LATER);
    const later = await acme.subscribeTo('plan', { starts_at: '2026-03-15T00:00:00Z' });
    await acme.settle(later.id, 'succeeded', DECLINES_LATER);
    return { pastDue, later, listed };
  }

  it('ranks a past-due subscription that bills nothing below one that starts later', async () => {
    const client = createTestClient({ past_due_usage: 'free' });
    const acme = await aStory('2026-01-31T10:00:00Z', client);
    const { pastDue, later, listed } = await subscribeTwice(acme);
    expect(await listed()).toEqual([pastDue.id]);

    await acme.advance('2026-03-01T00:00:00Z');
    expect(await listed()).toEqual([later.id]);
  });

  it('ranks a past-due subscription that bills usage above one that starts later', async () => {
    const acme = await aStory('2026-01-31T10:00:00Z');
    const { pastDue, later, listed } = await subscribeTwice(acme);
    expect(await listed()).toEqual([pastDue.id]);

    await acme.advance('2026-03-01T00:00:00Z');
    expect((await acme.subscription(pastDue.id)).status).toBe('action_required');
    expect(await acme.use('image.generated')).toMatchObject([{ currency: 'EUR', amount: 0.5 }]);
    expect(await listed()).toEqual([pastDue.id]);

    await acme.update(pastDue.id, { status: 'inactive' });
    await acme.update(pastDue.id, { status: 'active' });
    expect((await acme.subscription(pastDue.id)).status).toBe('action_required');
    expect(await acme.use('image.generated')).toEqual([]);
    expect(await listed()).toEqual([later.id]);

    await acme.settle(pastDue.id);
    await acme.advance('2026-03-15T00:00:00Z');
    expect(await listed()).toEqual([later.id]);
  });
});
