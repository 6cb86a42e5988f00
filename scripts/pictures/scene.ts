import type { Page } from 'playwright-core';
import { type EmbeddedWorld, startEmulator } from '../../src/index.ts';
import { at, type Opener } from '../../src/testing/every-page.ts';

/** An emulator with worlds for screenshots: the default one and a populated one. */
interface Scene {
  readonly url: string;
  /** The customer of the populated world with the most records. */
  readonly busiest: string;
  /** Returns a new link to pay 20 USD. */
  checkout(): Promise<string>;
  /** Returns a new link to this customer's portal. */
  portal(): Promise<string>;
  close(): Promise<void>;
}

/** Key of the world with sixty customers. */
export const POPULATED = 'key_test_populated';

const URLS = { return_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/no' };

export async function openScene(): Promise<Scene> {
  const emulator = await startEmulator({
    settings: { fixture: 'quickstart', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' },
  });
  const { url } = emulator;
  await fetch(`${url}/_emulator/ui/first-fee`, { method: 'POST' });
  const world = emulator.as(POPULATED);
  await fill(world);
  const busiest = await findBusiest(world);
  const { client } = world;
  const linked = (link: string) => url + new URL(link).pathname;
  return {
    url,
    busiest,
    async checkout() {
      const order = { amount: 20, currency: 'USD', description: '20 USD of credit' };
      const body = { customer_id: busiest, ...order, ...URLS };
      return linked((await client.call('createTopUp', { body })).redirect_url);
    },
    async portal() {
      const body = { customer_id: busiest, ...URLS };
      return linked((await client.call('createPortalSession', { body })).redirect_url);
    },
    close: emulator.close,
  };
}

/** Adds a month of traffic of sixty customers, one idle customer, failed and sent webhooks, faults and a snapshot. */
async function fill({ client, url }: EmbeddedWorld): Promise<void> {
  const inbox = `${url}/_emulator/inbox`;
  const topics = ['subscription.activated', 'no.such.topic'];
  await client.call('createWebhook', { body: { url: `${inbox}/shop`, topics: ['*'] } });
  await client.send('createWebhook', { body: { url: `${inbox}/ledger`, topics } as never });
  await fetch(`${url}/_emulator/ui/populate?key=${POPULATED}`, { method: 'POST' });
  await client.call('createCustomer', { body: { name: 'Initech' } });
  await client.call('saveSnapshot', { body: { name: 'before-the-outage' } });
  await client.call('addFault', { body: { delivery: 'drop', times: 3, name: 'Receiver is down' } });
  const match = { operation: 'createVendor' } as const;
  await client.call('addFault', { body: { match, status: 503, times: 1, name: 'Busy' } });
  await client.send('createVendor', { body: { name: 'Model host' } });
  await client.send('createCustomer', { body: { name: '' } });
  await client.call('createCustomer', { body: { name: 'Hooli', external_id: 'hooli' } });
  await client.call('flushDeliveries');
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

/** The pages shown in the documentation, and the part of each. */
export function picturedPages(scene: Scene) {
  const ui = `${scene.url}/_emulator/ui`;
  const parts: Readonly<Record<string, readonly [open: Opener, width: number, height: number]>> = {
    'front-page': [at(`${scene.url}/`), 1100, 890],
    request: [openFirstRequest(ui), 1100, 560],
    fee: [openFirstFee(scene.url), 1100, 1000],
    customer: [at(`${ui}/customers/${scene.busiest}?key=${POPULATED}`), 1280, 800],
    checkout: [async (page) => page.goto(await scene.checkout()), 1040, 860],
    portal: [async (page) => page.goto(await scene.portal()), 1040, 1060],
  };
  return Object.entries(parts).map(([name, [open, width, height]]) => ({
    name,
    open,
    view: { viewport: { width, height } },
    path: `docs/pictures/${name}.png`,
    fullPage: false,
  }));
}

const openFirstRequest = (ui: string) => async (page: Page) => {
  await page.goto(`${ui}/requests?q=operation:submitEvents`);
  await page.locator('tbody a').first().click();
};

const openFirstFee = (url: string) => async (page: Page) => {
  await page.goto(`${url}/`);
  await page.getByRole('link', { name: 'Why?' }).click();
};
