import { aCatalogProduct, fixedPrice, setWorldClock, URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import type { HostedPages } from './hosted.ts';
import { HOSTILE_TEXTS } from './hostile.ts';
import type { Shop } from './shop.ts';
import { anEvent, nextUuid, usagePrice } from './usage.ts';

/** A customer with some of everything in the portal; the address of it. */
export async function openBusyPortal({ client, shop, at }: HostedPages): Promise<string> {
  const { return_url, failure_url } = shop;
  const credits = { code: 'CREDIT', name: 'Credits', precision: 0 };
  await client.api(
    'createAsset',
    { body: { ...credits, rates: [{ source: 'USD', rate: 0.05 }] } },
    201,
  );
  await aCatalogProduct(client, 'assistant', { name: 'Assistant', prices: [TOKENS, PER_IMAGE] });
  await aCatalogProduct(client, 'seats', { name: 'Seats', prices: [fixedPrice(19)] });
  setWorldClock(client, '2026-01-01T00:00:00.000Z');
  const subscriptions = [{ products: [{ code: 'assistant' }] }];
  const customerId = await newCustomer(client, { name: 'Globex Corporation', subscriptions });
  const path = { customerId };
  for (const [asset, amount, more] of [
    ['USD', 120, { reason: 'external_topup' }],
    ['USD', 10, { reason: 'gift', expires_at: '2026-02-01T00:00:00Z' }],
    ['CREDIT', 500, { reason: 'gift' }],
  ] as const) {
    const body = { transaction_id: nextUuid(), asset, amount, ...more };
    await client.api('adjustWallet', { path, body }, 201);
  }
  setWorldClock(client, '2026-01-15T12:00:00.000Z');
  await submit(client, customerId, usageOfJanuary());
  const seats = { products: [{ code: 'seats' }], return_url, failure_url };
  await client.api('createSubscription', { path, body: seats }, 201);
  const charge = { transaction_id: nextUuid(), asset: 'USD', amount: 15, description: 'Set-up' };
  await client.api('chargeWallet', { path, body: charge }, 201);
  const topUp = { customer_id: customerId, amount: 25, currency: 'USD', return_url, failure_url };
  await client.api('createTopUp', { body: { ...topUp, description: 'For February' } }, 201);
  return at(await newPortal(client, customerId, shop));
}

/** A customer with nothing; the address of the portal. */
export async function openEmptyPortal({ client, shop, at }: HostedPages): Promise<string> {
  return at(await newPortal(client, await newCustomer(client, { name: 'Initech' }), shop));
}

/** A customer all of whose texts are hostile; the addresses of the portal and of a checkout. */
export async function openHostilePortal({ client, shop, at }: HostedPages) {
  const { return_url, failure_url } = shop;
  const { markup, rightToLeft, emoji, longName, longDescription } = HOSTILE_TEXTS;
  const price = { ...usagePrice({ event_type: 'hostile' }), name: markup };
  await aCatalogProduct(client, 'hostile', { name: longName, prices: [price] });
  const subscriptions = [{ products: [{ code: 'hostile' }] }];
  const customerId = await newCustomer(client, { name: longName, subscriptions });
  const texts = [markup, rightToLeft, emoji, longName, longDescription];
  const events = texts.map((text) =>
    anEvent({ event_type: 'hostile', subject: text.slice(0, 256), description: text }),
  );
  await submit(client, customerId, events);
  // Together they have 25 digits.
  for (const amount of [123_456_789_012_345, 0.0123456789]) {
    const gift = { transaction_id: nextUuid(), asset: 'USD', amount, reason: 'gift' };
    await client.api('adjustWallet', { path: { customerId }, body: gift }, 201);
  }
  const body = { customer_id: customerId, amount: 5, currency: 'USD', return_url, failure_url };
  const description = `${markup} ${rightToLeft} ${emoji} ${longName}`;
  const { redirect_url } = await client.api('createTopUp', { body: { ...body, description } }, 201);
  return { portal: at(await newPortal(client, customerId, shop)), checkout: at(redirect_url) };
}

export const POPULATED_KEY = 'key_test_people';

/** For tests of pages: a world that was filled by a click, and its 60 customers as the interface lists them. */
export async function openPopulatedWorld() {
  const client = createTestClient({ port: 0 });
  await client.http.post(`/_emulator/ui/populate?key=${POPULATED_KEY}`).type('form').send({});
  const all = { key: POPULATED_KEY, query: { limit: 100 } };
  const { items } = await client.api('listCustomers', all, 200);
  return { client, customers: items as readonly AnyBody[] };
}

/** The portal of one of its customers. */
export async function readPortal({ api, http }: TestClient, customer_id: string): Promise<string> {
  const session = { key: POPULATED_KEY, body: { customer_id, ...URLS } };
  const { redirect_url } = await api('createPortalSession', session, 200);
  const { headers } = await http.get(new URL(redirect_url).pathname);
  return (await http.get(String(headers['location']))).text;
}

async function newCustomer(client: TestClient, body: object): Promise<string> {
  return (await client.api('createCustomer', { body }, 201)).id;
}

async function newPortal(
  client: TestClient,
  customer_id: string,
  { return_url, failure_url }: Shop,
) {
  const body = { customer_id, return_url, failure_url };
  return (await client.api('createPortalSession', { body }, 200)).redirect_url;
}

function submit(client: TestClient, customer_id: string, events: readonly AnyBody[]) {
  return client.api('submitEvents', { body: { customer_id, events } }, 204);
}

const TOKENS = usagePrice({
  event_type: 'llm.completion',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large model', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1e6 },
    { name: 'Any model', volume_rate: 2, package_size: 1e6 },
  ],
});
const PER_IMAGE = usagePrice({ event_type: 'image', asset: 'CREDIT', values: [{ unit_price: 5 }] });

/** Thirty usage events on the days before the 15th of January. */
function usageOfJanuary() {
  return Array.from({ length: 30 }, (_, place) => {
    const occurred_at = `2026-01-${String((place % 14) + 1).padStart(2, '0')}T09:30:00.000Z`;
    return place % 3 === 0
      ? anEvent({ event_type: 'image', occurred_at, subject: `poster-${place}` })
      : anEvent({
          event_type: 'llm.completion',
          occurred_at,
          subject: `chat-${place}`,
          description: 'Answer in a support chat',
          data: { model: place % 2 ? 'large' : 'small', tokens: 40_000 * (place + 1) },
        });
  });
}
