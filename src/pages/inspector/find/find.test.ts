import { beforeAll, expect, it } from 'vitest';
import type { World } from '../../../store/world.ts';
import { anEvent } from '../../../testing/catalog.ts';
import { createTestClient, type TestClient, worldOf } from '../../../testing/client.ts';
import { seedBusyWorld } from '../../../testing/inspected.ts';

const UI = '/_emulator/ui';
const COST = '5e0f0c51-7d5c-4c5e-9d0a-6f3a1c0b2d4e';
let client: TestClient;
let world: World;

beforeAll(async () => {
  client = createTestClient();
  await seedBusyWorld(client, 'http://127.0.0.1:9/hook');
  const usage = { event_type: 'llm.completion', data: { model: 'large', tokens: 1000 } };
  const costs = [{ id: COST, vendor_external_id: 'host', amount: 1 }];
  const events = [anEvent({ ...usage, costs, occurred_at: '2026-01-15T12:00:00.000Z' })];
  await client.api('submitEvents', { body: { customer_external_id: 'acme', events } }, 204);
  await client.api('createConnectedAccount', { body: { name: 'Branch', external_id: 'b1' } }, 201);
  world = worldOf(client.emulator);
});

const first = <R>(rows: Iterable<R>): R => [...rows][0] as R;

/** One id of each kind of record, and other names to find records by. */
const IDS: Readonly<Record<string, () => string>> = {
  account: () => first(world.tables.accounts.values()).id,
  assumption: () => 'A-509',
  customer: () => first(world.tables.customers.values()).id,
  'external id of a customer': () => 'acme',
  'name of a customer': () => 'Acm',
  delivery: () => first(world.tables.deliveries.values()).id,
  destination: () => first(world.tables.webhooks.values()).id,
  'usage event': () => first(world.tables.events.values()).event_id,
  'usage event in upper case': () => first(world.tables.events.values()).event_id.toUpperCase(),
  fee: () => [...world.tables.events.values()].flatMap(({ fees }) => fees)[0]?.id ?? '',
  grant: () => first(world.tables.grants.values()).id,
  product: () => first(world.tables.products.values()).id,
  'code of a product': () => 'assistant',
  request: () => 'req_2',
  subscription: () => first(world.tables.subscriptions.values()).id,
  'top-up': () => first(world.tables.top_ups.values()).id,
  task: () => first(world.tables.tasks.values()).id,
  transaction: () => first(world.tables.transactions.values()).transaction_id,
  vendor: () => first(world.tables.vendors.values()).id,
  'webhook event': () => first(world.tables.webhook_events.values()).event_id,
  world: () => world.accountId,
};

it.each(Object.entries(IDS))(
  '/go redirects to the page of the record found by: %s',
  async (_, id) => {
    expect(id()).not.toBe('');
    const { status, headers } = await client.http.get(`${UI}/go`).query({ id: ` ${id()} ` });
    expect(status).toBe(303);

    const page = await client.http.get(String(headers['location']));

    expect(page.status).toBe(200);
  },
);

it('/go returns 404 with a link to the other world that has the id', async () => {
  const key = 'key_test_other';
  const { id } = await client.api('createCustomer', { body: { name: 'Elsewhere' }, key }, 201);
  const path = { topic: 'subscription.activated' };
  const { id: webhookEvent } = await client.api('testWebhooks', { path, body: {}, key }, 202);
  const usage = anEvent({ event_type: 'elsewhere' });
  await client.api('submitEvents', { body: { customer_id: id, events: [usage] }, key }, 204);

  for (const wanted of [id, webhookEvent, usage.id]) {
    const { status, text } = await client.http.get(`${UI}/go`).query({ id: wanted });
    const link = `/go?key=${key}&amp;id=${wanted}`;
    expect([wanted, status, text.includes(link)]).toEqual([wanted, 404, true]);
  }
});

it.each(['<b>', 'x'.repeat(5000), '"', 'A-', '__proto__', 'cust_'])(
  '/go returns 404 for the id %j',
  async (id) => {
    expect((await client.http.get(`${UI}/go`).query({ id })).status).toBe(404);
  },
);

it.each([
  ['Time', '/time'],
  ['status:422', '/requests?q=status%3A422'],
  ['balance:<0', '/customers?q=balance%3A%3C0'],
  ['failing', '/webhooks?q=state%3Afailing'],
  ['key_test_mine', '?key=key_test_mine'],
  ['create a customer', '/send?operation=createCustomer'],
  ['submit usage', '/send?operation=submitEvents'],
])('the command box leads from %j to %s', async (id, target) => {
  const { headers } = await client.http.get(`${UI}/go`).query({ id });

  expect(headers['location']).toBe(UI + target);
});

it.each([
  ['advance 2 months', '?to=2026-03-15T12%3A00%3A00.000Z#advance'],
  ['advance 3 hours', '?to=2026-01-15T15%3A00%3A00.000Z#advance'],
  ['advance', '#advance'],
  ['reset', '#reset'],
  ['snapshot before', '?name=before#snapshots'],
  ['undo', '#reset'],
])('the command box leads from the action %j to its form', async (id, target) => {
  const { headers } = await client.http.get(`${UI}/go`).query({ id });

  expect(headers['location']).toBe(`${UI}/time${target}`);
});

it('a form to which an action leads is filled in', async () => {
  const { text } = await client.http.get(`${UI}/time?to=2026-03-15&name=before&fixture=quickstart`);

  expect(text).toMatch(/name="to" value="2026-03-15"/);
  expect(text).toMatch(/name="name" value="before"/);
  expect(text).toMatch(/<option value="quickstart" selected>|<option selected value="quickstart">/);
});
