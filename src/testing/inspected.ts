import {
  aCatalogProduct,
  anEvent,
  CREDIT_ASSET,
  fixedPrice,
  freezeAt,
  nextUuid,
  URLS,
  usagePrice,
} from './catalog.ts';
import { TEST_NOW, type TestClient, worldOf } from './client.ts';
import { callsFor } from './customer.ts';

/** For tests of pages: addresses of inspector pages about one record each. */
export type RecordPages = ReturnType<typeof pagesOf>;

const TOKENS = usagePrice({
  name: 'Tokens',
  event_type: 'llm.completion',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large model', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1000 },
    { name: 'Any model', volume_rate: 2, package_size: 1000 },
  ],
});
const PER_IMAGE = usagePrice({
  name: 'Images',
  event_type: 'image',
  asset: 'CREDIT',
  values: [{ unit_price: 5 }],
});

/** Fills the default world with some of everything: two weeks of usage with costs, credit and scheduled jobs. */
export async function seedBusyWorld(client: TestClient, inbox: string): Promise<RecordPages> {
  await client.api('createWebhook', { body: { url: inbox, topics: ['*'] } }, 201);
  await client.api('createVendor', { body: { name: 'Model host', external_id: 'host' } }, 201);
  const credits = { ...CREDIT_ASSET, precision: 0 };
  const rates = [{ source: 'USD', rate: 0.05 }];
  await client.api('createAsset', { body: { ...credits, rates } }, 201);
  const prices = [TOKENS, PER_IMAGE, fixedPrice(49)];
  const productId = await aCatalogProduct(client, 'assistant', { name: 'Assistant', prices });
  await aCatalogProduct(client, 'seats', { name: 'Seats', prices: [fixedPrice(19)] });
  await freezeAt(client, '2026-01-01T00:00:00.000Z');
  const subscriptions = [{ products: [{ code: 'assistant' }], ...URLS }];
  const acme = { name: 'Acme', external_id: 'acme', metadata: { tier: 'gold' }, subscriptions };
  const created = await client.api('createCustomer', { body: acme }, 201);
  const { settle, credit, submit, subscribeTo } = callsFor({ client, customerId: created.id });
  await settle(created.subscriptions[0].id);
  await credit('USD', 60, GIFT_OF_JANUARY);
  await credit('USD', 60, GIFT);
  await credit('CREDIT', 100, GIFT_OF_JANUARY);
  await credit('CREDIT', 400, GIFT);
  await freezeAt(client, TEST_NOW);
  const events = Array.from({ length: 28 }, (_, place) => usageOn((place % 14) + 1, place));
  const image = anEvent({ event_type: 'image', subject: 'poster' });
  await submit(...events);
  await submit(image);
  await subscribeTo('seats');
  const path = { customerId: created.id };
  const charge = { transaction_id: nextUuid(), asset: 'USD', amount: 15, description: 'Set-up' };
  await client.api('chargeWallet', { path, body: charge }, 201);
  const order = { customer_id: created.id, amount: 25, currency: 'USD', ...URLS };
  await client.api('createTopUp', { body: { ...order, description: 'For February' } }, 201);
  await client.api('createCustomer', { body: { name: '' } }, 422);
  await client.api('setFaults', { body: { rules: RULES } });
  return pagesOf(client, created.id, productId, events[0].id);
}

const RULES = [
  {
    name: 'Busy',
    status: 503,
    times: 3,
    match: { operation: 'submitEvents', customer: 'globex' },
  },
  { latency: '1ms', skip: 2 },
  { match: { operation: 'createVendor' }, rate_limit: { limit: 10, period: '1m' } },
  { delivery: 'drop', times: 2 },
];

const GIFT = { reason: 'gift' };
const GIFT_OF_JANUARY = { ...GIFT, expires_at: '2026-02-01T00:00:00Z' };

/** A usage event of the day with its cost. One in five has no valid volume and causes a warning. */
function usageOn(day: number, place: number) {
  return anEvent({
    event_type: 'llm.completion',
    occurred_at: `2026-01-${String(day).padStart(2, '0')}T09:30:00.000Z`,
    subject: `chat-${place}`,
    description: 'Answer in a support chat',
    data: { model: place % 2 ? 'large' : 'small', tokens: place % 5 ? 300 * place : 'many' },
    costs: [{ id: nextUuid(), vendor_external_id: 'host', amount: 0.25 + place / 20 }],
  });
}

/** Adds a customer, a product, usage and other records with hostile texts. */
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
  await client.api('addFault', { body: rule }, 201);
  const values = [{ name: longName, unit_price: 1 }];
  const price = usagePrice({ name: markup, event_type: 'hostile', asset: 'EUR', values });
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
  // The two amounts have 25 digits together.
  const { credit, submit } = callsFor({ client, customerId });
  await credit('EUR', 123_456_789_012_345, GIFT_OF_JANUARY);
  await credit('EUR', 0.0123456789, GIFT);
  const events = [markup, rightToLeft, emoji, longName, longDescription].map(hostileEvent);
  await submit({ ...hostileEvent(markup), event_type: longName }, ...events);
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

/** The pages of the latest records. */
function pagesOf({ emulator }: TestClient, customerId: string, productId: string, eventId: string) {
  const world = worldOf(emulator);
  const webhookEvent = [...(world.tables.webhook_events.values() ?? [])].at(-1);
  return {
    customer: `/customers/${customerId}`,
    product: `/products/${productId}`,
    event: `/events/${eventId}`,
    ledger: `/ledger?q=grant:${[...(world.tables.grants.values() ?? [])].at(-1)?.id}`,
    webhookEvent: `/webhooks/${webhookEvent?.event_id}`,
    request: `/requests/${world.requests}`,
  };
}

/** Hostile text from customers that no page can fail on. */
export const HOSTILE_TEXTS = {
  markup: `"><script>document.title = 'owned'</script><img src=x onerror="document.title='owned'">`,
  rightToLeft: '\u202Eevil\u202C \u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627',
  emoji: '👩‍👩‍👧‍👦 💥 🏳️‍🌈',
  /** Maximum length of a name, without a place to break. */
  longName: 'W'.repeat(256),
  /** Maximum length of a description. */
  longDescription: '𝕎'.repeat(1024),
} as const;
