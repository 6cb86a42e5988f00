import { describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { aUser } from '../testing/customer.ts';
import { anEvent } from '../testing/usage.ts';

const client = createTestClient();
const { api } = client;

describe('a repeated list request', () => {
  it('returns customers as they are now', async () => {
    const { key, customerId, productId } = await aUser(client);
    const list = async () => (await api('listCustomers', { key }, 200)).items;
    const path = { customerId };
    const first = await list();
    await api('updateCustomer', { key, path, body: { name: 'Renamed' } }, 204);
    const renamed = await list();
    const body = { products: [{ id: productId }] };
    await api('createSubscription', { key, path, body }, 201);
    const subscribed = await list();

    expect(first).toMatchObject([{ name: 'Acme', active_subscription_count: 1 }]);
    expect(renamed).toMatchObject([{ name: 'Renamed', active_subscription_count: 1 }]);
    expect(subscribed).toMatchObject([{ name: 'Renamed', active_subscription_count: 2 }]);
    expect(await list()).toEqual(subscribed);
  });

  it('returns events with the current external_id of their customer', async () => {
    const { key, customerId, submit } = await aUser(client);
    const list = async () => (await api('listEvents', { key }, 200)).items;
    await submit(anEvent());
    const first = await list();
    const path = { customerId };
    await api('updateCustomer', { key, path, body: { external_id: 'acme' } }, 204);

    expect(first).toMatchObject([{ external_id: null, total_fees: 1 }]);
    expect(await list()).toMatchObject([{ external_id: 'acme', total_fees: 1 }]);
  });

  it('returns the right page of many rows', async () => {
    const { key, submit } = await aUser(client, { prices: [{ event_type: 'other' }] });
    for (let batch = 0; batch < 11; batch += 1)
      await submit(...Array.from({ length: 1000 }, () => anEvent({ subject: `${batch}` })));
    const page = (offset: number) =>
      api('listEvents', { key, query: { limit: 1000, offset } }, 200);
    const subjects = async (offset: number) =>
      new Set((await page(offset)).items.map(({ subject }: { subject: string }) => subject));

    for (const offset of [0, 1000, 5000, 10_000, 0, 6000])
      expect(await subjects(offset)).toEqual(new Set([`${10 - offset / 1000}`]));
  });
});
