import { beforeEach, describe, expect, it } from 'vitest';
import { fixedPrice, PER_IMAGE } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { aStory, DECLINES_LATER, type Story } from '../../testing/story.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient({ public_url: 'https://billing.example.com/' });
});

const create = async (body: object) =>
  (await client.api('createCustomer', { body }, 201)).id as string;

describe('createCustomer', () => {
  it('returns the same id whether or not earlier requests were rejected', async () => {
    await client.send('createCustomer', { body: { name: 'A', external_id: 1 } });
    await client.send('createCustomer', {
      body: { name: 'A', subscriptions: [{ products: [{ code: 'nothing' }] }] },
    });
    const id = await create({ name: 'A' });
    client = createTestClient();

    expect(await create({ name: 'A' })).toBe(id);
  });
});

describe('listCustomers', () => {
  it('redirects to an address under public_url', async () => {
    const id = await create({ name: 'Acme', external_id: 'acme' });

    const { headers } = await client.send('listCustomers', { query: { external_id: 'acme' } });

    expect(headers['location']).toBe(`https://billing.example.com/customers/${id}`);
  });
});

describe('listSubscribers', () => {
  /** Subscribes to a plan that fails its renewal on 28 February, and to the same that starts on 15 March. */
  async function subscribeTwice(acme: Story) {
    const productId = await acme.product('plan', { prices: [fixedPrice(20), PER_IMAGE] });
    const listed = async () => {
      const { items } = await acme.api('listSubscribers', { path: { productId } });
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
    const acme = await aStory({ client });
    const { pastDue, later, listed } = await subscribeTwice(acme);
    expect(await listed()).toEqual([pastDue.id]);

    await acme.advance('2026-03-01T00:00:00Z');
    expect(await listed()).toEqual([later.id]);
  });

  it('ranks a past-due subscription that bills usage above one that starts later', async () => {
    const acme = await aStory();
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
