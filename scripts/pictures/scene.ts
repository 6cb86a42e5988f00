import { type EmbeddedWorld, startEmulator } from '../../src/index.ts';
import { usagePrice } from '../../src/testing/catalog.ts';
import { HOSTILE_TEXTS } from '../../src/testing/inspected.ts';

/** An emulator with worlds for screenshots: the default one, a populated one and an empty one. */
export interface Scene {
  readonly url: string;
  /** The customer of the populated world with the most records, and one without any. */
  readonly busiest: string;
  readonly idle: string;
  /** The customer of the hostile world with the longest texts. */
  readonly hostile: string;
  /** Returns a new link to pay 20 USD. */
  checkout(): Promise<string>;
  /** Returns a new link to a customer's portal. */
  portal(customer: string): Promise<string>;
  close(): Promise<void>;
}

/** Key of the world with sixty customers. */
export const POPULATED = 'key_test_populated';

/** Key of the world with texts that are hard to show. */
export const HOSTILE = 'key_test_hostile';

const URLS = { return_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/no' };

export async function openScene(): Promise<Scene> {
  const emulator = await startEmulator({
    settings: { fixture: 'quickstart', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' },
  });
  const { url } = emulator;
  await fetch(`${url}/_emulator/ui/first-fee`, { method: 'POST' });
  const world = emulator.as(POPULATED);
  const idle = await fill(world);
  const busiest = await findBusiest(world);
  const hostile = await fillHostile(emulator.as(HOSTILE));
  const { client } = world;
  const at = (link: string) => url + new URL(link).pathname;
  return {
    url,
    busiest,
    idle,
    hostile,
    async checkout() {
      const order = { amount: 20, currency: 'USD', description: '20 USD of credit' };
      const body = { customer_id: busiest, ...order, ...URLS };
      return at((await client.call('createTopUp', { body })).redirect_url);
    },
    async portal(customer_id) {
      const body = { customer_id, ...URLS };
      return at((await client.call('createPortalSession', { body })).redirect_url);
    },
    close: emulator.close,
  };
}

/** Adds a month of traffic of sixty customers, one idle customer, failed and sent webhooks, faults and a snapshot. */
async function fill({ client, url }: EmbeddedWorld): Promise<string> {
  const inbox = `${url}/_emulator/inbox`;
  const topics = ['subscription.activated', 'no.such.topic'];
  await client.call('createWebhook', { body: { url: `${inbox}/shop`, topics: ['*'] } });
  await client.send('createWebhook', { body: { url: `${inbox}/ledger`, topics } as never });
  await fetch(`${url}/_emulator/ui/populate?key=${POPULATED}`, { method: 'POST' });
  const { id } = await client.call('createCustomer', { body: { name: 'Initech' } });
  await client.call('saveSnapshot', { body: { name: 'before-the-outage' } });
  await client.call('addFault', { body: { delivery: 'drop', times: 3, name: 'Receiver is down' } });
  const match = { operation: 'createVendor' } as const;
  await client.call('addFault', { body: { match, status: 503, times: 1, name: 'Busy' } });
  await client.send('createVendor', { body: { name: 'Model host' } });
  await client.send('createCustomer', { body: { name: '' } });
  await client.call('createCustomer', { body: { name: 'Hooli', external_id: 'hooli' } });
  await client.call('flushDeliveries');
  return id;
}

/** Adds customers, a product, usage and a webhook whose texts are hard to show. Returns the customer with all of them. */
async function fillHostile({ client }: EmbeddedWorld): Promise<string> {
  const { longName, ...texts } = HOSTILE_TEXTS;
  for (const name of Object.values(texts))
    await client.send('createCustomer', { body: { name: name.slice(0, 256) } });
  const event_type = longName.slice(0, 64);
  const values = [{ name: longName, unit_price: 123_456.123456789 }];
  const prices = [usagePrice({ name: longName, event_type, values })];
  const product = { name: longName, code: 'long', publish: true, prices };
  await client.call('createProduct', { body: product as never });
  const subscriptions = [{ products: [{ code: 'long' }] }];
  const body = { name: longName, external_id: 'long', subscriptions };
  const { id } = await client.call('createCustomer', { body });
  const event = { event_type, subject: longName.slice(0, 64), data: {} };
  const occurred_at = '2026-01-15T12:00:00Z';
  const events = [{ id: '00000000-0000-4000-8000-000000000001', occurred_at, ...event }];
  await client.call('submitEvents', { body: { customer_id: id, events } as never });
  return id;
}

/** The customer with most of the latest ledger transactions. */
async function findBusiest({ client }: EmbeddedWorld): Promise<string> {
  const { items } = await client.call('listLedgerTransactions', { query: { limit: 100 } });
  const counts = new Map<string, number>();
  for (const { customer_id: id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [busiest] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (busiest === undefined) throw new Error('The world has no ledger transaction.');
  return busiest[0];
}
