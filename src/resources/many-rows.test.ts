import { beforeAll, describe, expect, it } from 'vitest';
import { instant } from '../domain/instant.ts';
import { rowsOf } from '../store/query.ts';
import type { WebhookEventRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import { aCatalogProduct, anEvent, PER_IMAGE } from '../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient, worldOf } from '../testing/client.ts';
import { aUser } from '../testing/story.ts';

/** Lists with more rows than are scanned for each response: the first query builds an index for later ones. */
const namesOf = ({ items }: AnyBody): string[] => items.map(({ name }: AnyBody) => name);

describe('1,200 customers, every third of them subscribed, every hundredth special', () => {
  let client: TestClient;
  let productId: string;
  const ids: string[] = [];
  const subscriptions = [{ products: [{ code: 'images' }] }];
  const list = (query: object) => client.api('listCustomers', { query: { ...query } });

  beforeAll(async () => {
    client = createTestClient();
    productId = await aCatalogProduct(client, 'images', { prices: [PER_IMAGE] });
    for (let place = 0; place < 1_200; place += 1) {
      const name = place % 100 === 0 ? `Special ${place}` : `Usual ${place}`;
      const body = { name, ...(place % 3 === 0 && { subscriptions }) };
      ids.push((await client.api('createCustomer', { body }, 201)).id);
    }
  });

  it('are found by name', async () => {
    const found = await list({ name: 'SPECIAL', limit: 2, offset: 1 });

    expect(found.total_count).toBe(12);
    expect(namesOf(found)).toEqual(['Special 1000', 'Special 900']);
  });

  it('are found by status', async () => {
    const active = await list({ status: 'active', limit: 2, offset: 1 });
    const inactive = await list({ status: 'inactive', limit: 3, offset: 1 });

    expect([active.total_count, inactive.total_count]).toEqual([400, 800]);
    expect(namesOf(active)).toEqual(['Usual 1194', 'Usual 1191']);
    expect(namesOf(inactive)).toEqual(['Usual 1198', 'Usual 1196', 'Usual 1195']);
    expect(namesOf(await list({ status: 'active', limit: 2, offset: 399 }))).toEqual(['Special 0']);
    expect(namesOf(await list({ status: 'inactive', offset: 799 }))).toEqual(['Usual 1']);
  });

  it('are found by name and status, and not by an unknown email', async () => {
    const both = await list({ name: 'special', status: 'active' });

    expect(namesOf(both)).toEqual(['Special 900', 'Special 600', 'Special 300', 'Special 0']);
    expect(await list({ name: 'special', email: 'nobody@x.example' })).toMatchObject({ items: [] });
  });

  it('are listed as the subscribers of their product', async () => {
    const path = { productId };
    const page = await client.api('listSubscribers', { path, query: { limit: 2 } });

    expect(page.total_count).toBe(400);
    expect(page.items.map(({ customer_name }: AnyBody) => customer_name)).toEqual([
      'Usual 1197',
      'Usual 1194',
    ]);
  });

  it('are found by their current name and status after a change', async () => {
    const [first, second] = [ids[1] as string, ids[2] as string];
    const body = { name: 'Special at last' };
    await client.api('updateCustomer', { path: { customerId: first }, body }, 204);
    const paths = { path: { customerId: second }, body: subscriptions[0] };
    const { id } = await client.api('createSubscription', paths, 201);
    const subscribed = await list({ status: 'active', limit: 1, offset: 399 });
    const path = { customerId: second, subscriptionId: id };
    await client.api('updateSubscription', { path, body: { status: 'inactive' } }, 204);

    expect((await list({ name: 'special' })).total_count).toBe(13);
    expect(subscribed).toMatchObject({ total_count: 401, items: [{ name: 'Usual 2' }] });
    expect((await list({ status: 'active' })).total_count).toBe(400);
    expect((await list({ status: 'inactive' })).total_count).toBe(800);
    const former = { name: 'Usual 1' };
    await client.api('updateCustomer', { path: { customerId: first }, body: former }, 204);
  });
});

describe('a customer with 1,200 events, each with its own task', () => {
  let client: TestClient;
  let user: Awaited<ReturnType<typeof aUser>>;
  const event = (place: number) =>
    anEvent({
      event_type: place % 4 === 0 ? 'note' : 'call',
      occurred_at: `2026-01-0${1 + (place % 3)}T00:00:0${place % 10}Z`,
      subject: `task-${place}`,
    });

  beforeAll(async () => {
    client = createTestClient();
    user = await aUser(client, { prices: [{}] });
    await user.credit('USD', 10_000);
    for (const batch of [0, 1])
      await user.submit(...Array.from({ length: 600 }, (_, place) => event(batch * 600 + place)));
  });

  it('has current counts of events by period, type and fees, and of transactions', async () => {
    const { key: world, customerId: customer_id } = user;
    const count = async (query: object) =>
      (await client.api('listEvents', { key: world, query: { customer_id, ...query } }))
        .total_count;
    const days = { period_from: '2026-01-02', period_to: '2026-01-02' };

    expect(await count(days)).toBe(400);
    expect(await count({ has_fees: false })).toBe(300);
    expect(await count({ event_types: 'note', ...days })).toBe(100);
    await user.submit(event(1));
    expect(await count(days)).toBe(401);
    expect(await count({ subject: 'task-1', ...days })).toBe(2);
    const query = { customer_id, type: 'fee', limit: 1 };
    const asked = { key: world, query };
    const { total_count } = await client.api('listLedgerTransactions', asked);
    expect(total_count).toBe(901);
  });

  it('lists its tasks from last_updated_from on, the last updated first', async () => {
    const { key: world, customerId: customer_id } = user;
    const query = { customer_id, limit: 2, last_updated_from: '2026-01-03' };
    const { items, total_count } = await client.api('listTasks', { key: world, query });

    expect(total_count).toBe(400);
    expect(items.map(({ subject }: AnyBody) => subject)).toEqual(['task-1199', 'task-1169']);
  });
});

describe('a log of 1,200 webhook events', () => {
  it('returns pages of the events that currently have the status Failed', async () => {
    const client = createTestClient();
    const world = worldOf(client.emulator);
    const path = { topic: 'subscription.activated' };
    await client.api('testWebhooks', { path, body: {} }, 202);
    const { webhook_events } = world.tables;
    const [first] = rowsOf(webhook_events, { owner: world.accountId });
    const failed_at = instant('2026-01-15T12:00:00Z');
    const put = (place: number, change: Partial<WebhookEventRow>) => {
      const event_id = `evt_${place}`;
      const id = key(world.accountId, event_id);
      world.commit(() =>
        webhook_events.put({
          ...(first as WebhookEventRow),
          id,
          event_id,
          seq: 1e6 + place,
          ...change,
        }),
      );
    };
    for (let place = 0; place < 1_200; place += 1)
      put(place, place % 400 === 0 ? { failed_at } : {});
    const list = async (query: object) => {
      const asked = { query: { status: 'Failed', limit: 2, ...query } };
      const { items, pagination } = await client.api('listWebhookEvents', asked);
      return { ids: items.map(({ id }: AnyBody) => id), ...pagination };
    };

    const page = await list({});
    expect(page.ids).toEqual(['evt_800', 'evt_400']);
    expect((await list({ next: page.next })).ids).toEqual(['evt_0']);
    put(400, {});
    expect((await list({ next: page.next })).ids).toEqual(['evt_0']);
    put(1_199, { failed_at });
    expect((await list({})).ids).toEqual(['evt_1199', 'evt_800']);
    expect((await list({ status: 'Success' })).ids).toEqual([]);
  });
});
