import { fixedPrice } from './catalog.ts';
import type { TestClient } from './client.ts';
import { HOSTILE_TEXTS } from './hostile.ts';
import { anEvent, nextUuid, usagePrice } from './usage.ts';

/** For tests of the inspector: the addresses of pages below it about one record each. */
export interface RecordPages {
  readonly customer: string;
  readonly product: string;
  readonly event: string;
  readonly webhookEvent: string;
  readonly grant: string;
  readonly request: string;
}

const TOKENS = {
  event_type: 'llm.completion',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large model', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1000 },
    { name: 'Any model', volume_rate: 2, package_size: 1000 },
  ],
};

/** Fills the default world with some of everything: two weeks of usage with costs, credit, what falls due. */
export async function seedBusyWorld(client: TestClient, inbox: string): Promise<RecordPages> {
  await client.api('createWebhook', { body: { url: inbox, topics: ['*'] } }, 201);
  await client.api('createVendor', { body: { name: 'Model host', external_id: 'host' } }, 201);
  const prices = [usagePrice(TOKENS), fixedPrice(49)];
  const assistant = { name: 'Assistant', code: 'assistant', publish: true, prices };
  const { id: productId } = await client.api('createProduct', { body: assistant }, 201);
  const urls = { return_url: 'https://a.example/yes', failure_url: 'https://a.example/no' };
  const subscriptions = [{ products: [{ code: 'assistant' }], ...urls }];
  const acme = { name: 'Acme', external_id: 'acme', metadata: { tier: 'gold' }, subscriptions };
  const created = await client.api('createCustomer', { body: acme }, 201);
  const id = created.subscriptions[0].id;
  await client.control('settlePayment', { path: { id }, body: { outcome: 'succeeded' } }, 200);
  await giveCredit(client, created.id, 'USD', [60, 60]);
  const events = Array.from({ length: 28 }, (_, place) => usageOn((place % 14) + 1, place));
  await client.api('submitEvents', { body: { customer_id: created.id, events } }, 204);
  const order = { customer_id: created.id, amount: 25, currency: 'USD', ...urls };
  await client.api('createTopUp', { body: order }, 201);
  await client.api('createCustomer', { body: { name: '' } }, 422);
  const match = { operation: 'submitEvents', customer: 'globex' };
  const rules = [
    { name: 'Busy', match, status: 503, times: 3 },
    { latency: '1ms..2ms', every: 2 },
    { match: { path: '/vendors/*' }, rate_limit: { limit: 10, period: '1m' } },
    { delivery: 'drop', times: 2 },
  ];
  await client.control('setFaults', { body: { rules } }, 200);
  return pagesOf(client, created.id, productId, events[0].id);
}

/** Two gifts, of which the first ends. */
async function giveCredit(
  client: TestClient,
  customerId: string,
  asset: string,
  [first, second]: readonly [number, number],
): Promise<void> {
  for (const gift of [{ amount: first, expires_at: '2026-02-01T00:00:00Z' }, { amount: second }]) {
    const body = { transaction_id: nextUuid(), asset, reason: 'gift', ...gift };
    await client.api('adjustWallet', { path: { customerId }, body }, 201);
  }
}

/** A usage event of the day with its cost; one in five names no known volume, which is warned of. */
function usageOn(day: number, place: number) {
  return anEvent({
    event_type: 'llm.completion',
    occurred_at: `2026-01-${String(day).padStart(2, '0')}T09:30:00.000Z`,
    subject: `chat-${place}`,
    data: { model: place % 2 ? 'large' : 'small', tokens: place % 5 ? 300 * place : 'many' },
    costs: [{ id: nextUuid(), vendor_external_id: 'host', amount: 0.25 + place / 20 }],
  });
}

/** Adds a customer, a product, usage and whatever else has texts, all of them hostile. */
export async function seedHostileWorld(client: TestClient): Promise<RecordPages> {
  const { markup, rightToLeft, emoji, longName, longDescription } = HOSTILE_TEXTS;
  const url = `http://127.0.0.1:9/${'w'.repeat(1_000)}`;
  await client.api('createWebhook', { body: { url, topics: ['*'] } }, 201);
  await client.api('createVendor', { body: { name: longName, external_id: emoji } }, 201);
  await client.api(
    'createCustomer',
    { body: { name: rightToLeft, external_id: rightToLeft } },
    201,
  );
  const rule = { name: longName.slice(0, 64), match: { customer: rightToLeft }, status: 503 };
  await client.control('addFault', { body: rule }, 201);
  const price = usagePrice({ name: markup, event_type: 'hostile', asset: 'EUR' });
  const product = { name: longName, code: 'hostile', publish: true, prices: [price] };
  const { id: productId } = await client.api('createProduct', { body: product }, 201);
  const subscriptions = [{ products: [{ code: 'hostile' }] }];
  const customer = {
    name: longName,
    external_id: markup,
    metadata: { words: rightToLeft, faces: emoji },
    subscriptions,
  };
  const { id: customerId } = await client.api('createCustomer', { body: customer }, 201);
  // Together they have 25 digits.
  await giveCredit(client, customerId, 'EUR', [123_456_789_012_345, 0.0123456789]);
  const events = [markup, rightToLeft, emoji, longName, longDescription].map(hostileEvent);
  await client.api('submitEvents', { body: { customer_id: customerId, events } }, 204);
  const pages = pagesOf(client, customerId, productId, events[0].id);
  const urls = { return_url: url, failure_url: url };
  const order = { customer_id: customerId, amount: 25, currency: 'EUR', description: longName };
  await client.api('createTopUp', { body: { ...order, ...urls } }, 201);
  return pages;
}

function hostileEvent(text: string) {
  const { markup, rightToLeft, emoji } = HOSTILE_TEXTS;
  return anEvent({
    costs: [{ id: nextUuid(), vendor_external_id: emoji, amount: 12_345.0123456789 }],
    event_type: 'hostile',
    subject: text.slice(0, 256),
    description: text,
    data: { [markup]: rightToLeft, endless: 'x'.repeat(10_000), faces: emoji },
  });
}

/** The pages of what was made last. */
function pagesOf(
  { emulator }: TestClient,
  customerId: string,
  productId: string,
  eventId: string,
): RecordPages {
  const world = emulator.worlds.find('key_test_emulator');
  const webhookEvent = [...(world?.tables.webhook_events.values() ?? [])].at(-1);
  return {
    customer: `/customers/${customerId}`,
    product: `/products/${productId}`,
    event: `/events/${eventId}`,
    grant: `/records/grants/${[...(world?.tables.grants.values() ?? [])].at(-1)?.id}`,
    webhookEvent: `/webhooks/${webhookEvent?.event_id}`,
    request: `/requests/${world?.requests}`,
  };
}
