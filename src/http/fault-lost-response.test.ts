// Long because of two tables that have an entry for every write of the document.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../spec/document.ts';
import type { OperationId } from '../spec/operations.ts';
import { createTestClient, TEST_NOW, type TestCallParts, worldOf } from '../testing/client.ts';
import { imageOf } from '../testing/worlds.ts';

const document = loadDocument('openapi');
const operations = [...document.operations.values()];
const client = createTestClient({ fixture: 'quickstart' });
const { emulator } = client;
const world = worldOf(emulator);

// Delivery attempts record how long they take, which differs in each run.
emulator.dispatcher.close();

/** The ids of the world that the requests use. */
interface Ids {
  readonly acme: string;
  readonly subscription: string;
  readonly assistant: string;
  readonly webhook: string;
  readonly shop: string;
}

type Parts = (ids: Ids) => TestCallParts;

const TRANSACTION = '00000000-0000-4000-8000-0000000000a1';

/**
 * Writes that a client can safely repeat after a lost response: the world ends up the same, by what `docs/faults.md` says.
 * Each with the status of the repeated request.
 */
const SAFE: Readonly<Record<string, readonly [again: number, parts: Parts]>> = {
  createConnectedAccount: [422, () => ({ body: { name: 'North', external_id: 'north' } })],
  createAsset: [422, () => ({ body: { code: 'POINT', name: 'Points', precision: 0 } })],
  quoteAsset: [200, () => ({ path: { assetCode: 'CREDIT' }, body: { source: 'USD', amount: 25 } })],
  createCustomer: [
    422,
    () => ({
      body: {
        name: 'Ada',
        external_id: 'ada',
        subscriptions: [{ products: [{ code: 'studio' }] }],
      },
    }),
  ],
  updateCustomer: [
    204,
    ({ acme }) => ({
      path: { customerId: acme },
      body: { name: 'Acme Inc', email: null, metadata: { tier: 'gold' } },
    }),
  ],
  updateSubscription: [
    204,
    ({ acme, subscription }) => ({
      path: { customerId: acme, subscriptionId: subscription },
      body: { status: 'inactive' },
    }),
  ],
  updateSubscriptionProduct: [
    204,
    ({ acme, subscription, assistant }) => ({
      path: { customerId: acme, subscriptionId: subscription, productId: assistant },
      body: { version: 1 },
    }),
  ],
  adjustWallet: [
    201,
    ({ acme }) => ({
      path: { customerId: acme },
      body: { transaction_id: TRANSACTION, asset: 'USD', amount: 12.5, reason: 'external_topup' },
    }),
  ],
  chargeWallet: [
    201,
    ({ acme }) => ({
      path: { customerId: acme },
      body: { transaction_id: TRANSACTION, asset: 'USD', amount: 3 },
    }),
  ],
  submitEvents: [
    204,
    ({ acme }) => ({
      body: {
        customer_id: acme,
        events: ['b1', 'b2'].map((end) => ({
          id: `00000000-0000-4000-8000-0000000000${end}`,
          event_type: 'llm.completion',
          occurred_at: TEST_NOW,
          subject: 'chat-9',
          data: { model: 'large', tokens: 417_000 },
          costs: [
            {
              id: `00000000-0000-4000-9000-0000000000${end}`,
              vendor_external_id: 'model-host',
              amount: 0.2,
            },
          ],
        })),
      },
    }),
  ],
  createProduct: [
    422,
    () => ({ body: { name: 'Seats', code: 'seats', publish: true, prices: [PRICE] } }),
  ],
  deleteProduct: [204, ({ assistant }) => ({ path: { productId: assistant } })],
  archiveProductVersion: [204, ({ assistant }) => ({ path: { productId: assistant, version: 1 } })],
  simulateUsage: [
    200,
    ({ acme, assistant }) => ({
      path: { productId: assistant, version: 1 },
      body: { customer_id: acme, events: [EVENT] },
    }),
  ],
  createVendor: [422, () => ({ body: { name: 'Storage', external_id: 'storage' } })],
  updateWebhook: [
    200,
    ({ webhook }) => ({ path: { webhookId: webhook }, body: { enabled: false } }),
  ],
  deleteWebhook: [422, ({ webhook }) => ({ path: { webhookId: webhook } })],
};

const PRICE = {
  name: 'Images',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 1 }] }],
};
const EVENT = {
  id: '00000000-0000-4000-8000-0000000000c1',
  event_type: 'llm.completion',
  occurred_at: TEST_NOW,
  data: { model: 'small', tokens: 250 },
};
const RETURNS = { return_url: 'https://a.example/', failure_url: 'https://a.example/' };
const TOPIC = { topic: 'subscription.activated' };

/** Writes without an idempotency key: each repetition takes effect again. */
const UNSAFE: Readonly<Record<string, Parts>> = {
  setAssetRate: () => ({
    path: { assetCode: 'CREDIT' },
    body: { source: 'USD', rate: 0.1, valid_from: '2026-02-01T00:00:00Z' },
  }),
  createPortalSession: ({ acme }) => ({ body: { customer_id: acme, ...RETURNS } }),
  createSubscription: ({ acme }) => ({
    path: { customerId: acme },
    body: { products: [{ code: 'studio' }] },
  }),
  createProductVersion: ({ assistant }) => ({
    path: { productId: assistant },
    body: { name: 'Next', prices: [PRICE] },
  }),
  updateProductVersion: ({ assistant }) => ({
    path: { productId: assistant, version: 2 },
    body: { prices: [PRICE] },
  }),
  createTopUp: ({ acme }) => ({
    body: { customer_id: acme, amount: 50, currency: 'USD', ...RETURNS },
  }),
  createWebhook: () => ({ body: { url: 'https://b.example/hook' } }),
  testWebhooks: () => ({ path: TOPIC, body: {} }),
  testWebhook: ({ webhook }) => ({ path: { webhookId: webhook, ...TOPIC }, body: {} }),
  testConnectedWebhooks: ({ shop }) => ({ path: { ...TOPIC, connectedAccountId: shop }, body: {} }),
  testConnectedWebhook: ({ webhook, shop }) => ({
    path: { webhookId: webhook, ...TOPIC, connectedAccountId: shop },
    body: {},
  }),
};

/** Resets the world to the same contents each time. */
async function open(): Promise<Ids> {
  await client.api('resetWorld');
  const webhook = await client.api(
    'createWebhook',
    { body: { url: 'https://a.example/hook', connect: true } },
    201,
  );
  const shop = await client.api('createConnectedAccount', { body: { name: 'Shop' } }, 201);
  const { tables } = world;
  const customers = [...tables.customers.values()];
  const acme = customers.find(({ external_id }) => external_id === 'acme')?.id as string;
  const assistant = [...tables.products.values()].find(({ code }) => code === 'assistant');
  const productId = assistant?.id as string;
  await client.api(
    'createProductVersion',
    { path: { productId }, body: { name: 'Next', prices: [PRICE] } },
    201,
  );
  const subscription = [...tables.subscriptions.values()].find(
    ({ customer_id }) => customer_id === acme,
  );
  return {
    acme,
    subscription: subscription?.id as string,
    assistant: productId,
    webhook: webhook.id,
    shop: shop.id,
  };
}

/** Repeats a request until a response arrives, up to 5 times. Returns every status received. */
async function insist(id: OperationId, parts: TestCallParts): Promise<(number | 'lost')[]> {
  const got: (number | 'lost')[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const response = await client.send(id, parts).catch(() => undefined);
    got.push(response?.status ?? 'lost');
    if (response) return got;
  }
  return got;
}

/** Returns the bytes of every readable response, and all rows of the tables. */
async function readAll(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { id, method, path } of operations) {
    if (method !== 'GET') continue;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    for (const parameters of pathsOf(names)) {
      const { status, text } = await client.send(id as OperationId, { path: parameters });
      texts.push(`${id} ${JSON.stringify(parameters)} ${status} ${text}`);
    }
  }
  const { tables, sequence } = imageOf(world);
  return [
    ...texts,
    `${sequence}`,
    ...Object.values(tables)
      .flat()
      .map((row) => JSON.stringify(row)),
  ];
}

/** All ways to fill in the path parameters with ids of the world. */
function pathsOf(names: readonly string[]): readonly Record<string, string>[] {
  const { tables } = world;
  const values: Readonly<Record<string, () => readonly string[]>> = {
    accountId: () =>
      names.includes('customerId')
        ? ['default:USD', 'default:CREDIT']
        : [...tables.accounts.values()].map(({ id }) => id),
    assetCode: () => ['USD', 'CREDIT', 'POINT'],
    version: () => ['default', '1', '2'],
    taskId: () => ['chat-1', 'chat-9', 'poster-7'],
    customerId: () => [...tables.customers.values()].map(({ id }) => id),
    productId: () => [...tables.products.values()].map(({ id }) => id),
    vendorId: () => [...tables.vendors.values()].map(({ id }) => id),
    webhookId: () => [...tables.webhooks.values()].map(({ id }) => id),
    eventId: () => [...tables.events.values()].map(({ id }) => id),
    transactionId: () => [TRANSACTION],
  };
  let filled: readonly Record<string, string>[] = [{}];
  for (const name of names) {
    const known = values[name]?.() ?? ['none'];
    filled = filled.flatMap((each) => known.map((value) => ({ ...each, [name]: value })));
  }
  return filled;
}

/** Returns what a world holds after a write whose response is lost `losses` times. */
async function outcome(
  id: string,
  parts: Parts,
  losses: number,
  effect: object = { lost_response: true },
) {
  const ids = await open();
  const rule = { match: { operation: id }, times: losses, ...effect };
  await client.api('setFaults', { body: { rules: [rule] } });
  const got = await insist(id as OperationId, parts(ids));
  await client.api('setFaults', { body: { rules: [] } });
  return { got, state: await readAll() };
}

describe('the retry of a write after a lost response', () => {
  it('is listed here as safe or unsafe for every write operation of the document', () => {
    const writes = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);

    expect([...Object.keys(SAFE), ...Object.keys(UNSAFE)].sort()).toEqual(writes.sort());
  });

  it('is documented in docs/faults.md for every unsafe operation', () => {
    const page = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');

    for (const id of Object.keys(UNSAFE)) expect(page.includes(`\`${id}\``)).toBe(true);
  });

  it.each(Object.entries(SAFE))(
    'is safe for %s: the world ends as if no response had been lost',
    async (id, [again, parts]) => {
      const whole = await outcome(id, parts, 0);
      const once = await outcome(id, parts, 1);
      const thrice = await outcome(id, parts, 3);
      const cut = await outcome(id, parts, 1, { connection: 'truncated' });

      expect(whole.got).toEqual([expect.toSatisfy((status: number) => status < 300)]);
      expect(once.got).toEqual(['lost', again]);
      expect(thrice.got).toEqual(['lost', 'lost', 'lost', again]);
      expect(once.state).toEqual(whole.state);
      expect(thrice.state).toEqual(whole.state);
      expect(cut.state).toEqual(whole.state);
    },
  );

  it.each(Object.entries(UNSAFE))(
    'is unsafe for %s: the write takes effect twice',
    async (id, parts) => {
      const whole = await outcome(id, parts, 0);
      const once = await outcome(id, parts, 1);

      expect(whole.got).toEqual([expect.toSatisfy((status: number) => status < 300)]);
      expect(once.got).toEqual(['lost', whole.got[0]]);
      expect(once.state).not.toEqual(whole.state);
    },
  );
});
