import { aCatalogProduct, fixedPrice, URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';
import { startServer } from './server.ts';

/** For tests of hosted pages: a listening emulator with a customer, and the shop that sends it there. */
export type HostedPages = Awaited<ReturnType<typeof openHostedPages>>;

export async function openHostedPages(customer: object = {}) {
  const client = createTestClient({ port: 0 });
  const base = await client.emulator.listen();
  const shop = await openShop();
  await aCatalogProduct(client, 'team', { name: 'Team plan', prices: [fixedPrice(49)] });
  const body = { name: 'Acme', external_id: 'acme', ...customer };
  const customerId: string = (await client.api('createCustomer', { body }, 201)).id;
  const { charge, balance, subscription: subscriptionOf } = callsFor({ client, customerId });
  /** A link with the address at which the emulator listens. */
  const at = (link: string): string => base + new URL(link).pathname;
  return {
    client,
    shop,
    customerId,
    at,
    ...ordersOf({ client, shop, customerId, at }),
    charge,
    balance,
    subscriptionOf,
    async topUpStatus(topUpId: string): Promise<string> {
      return (await client.api('getTopUp', { path: { topUpId } })).status;
    },
    async close(): Promise<void> {
      shop.close();
      await client.emulator.close();
    },
  };
}

interface Orders {
  readonly client: TestClient;
  readonly shop: Shop;
  readonly customerId: string;
  readonly at: (link: string) => string;
}

/** Orders of the shop, each of which leads to a hosted page. */
function ordersOf({ client, shop, customerId, at }: Orders) {
  const { return_url, failure_url } = shop;
  const urls = { return_url, failure_url };
  return {
    /** Starts a top-up of 20 USD. Returns its id and link. */
    async topUp(more: object = {}): Promise<{ id: string; url: string }> {
      const order = { customer_id: customerId, amount: 20, currency: 'USD', ...urls, ...more };
      const { id, redirect_url } = await client.api('createTopUp', { body: order }, 201);
      return { id, url: at(redirect_url) };
    },
    /** Subscribes to a product of 49 USD a month. Returns the subscription's id and payment link. */
    async subscribe(more: object = {}): Promise<{ id: string; url: string }> {
      const order = { products: [{ code: 'team' }], ...urls, ...more };
      const parts = { path: { customerId }, body: order };
      const { id, required_actions } = await client.api('createSubscription', parts, 201);
      return { id, url: at(required_actions[0].redirect_url) };
    },
    /** Returns a new link to the portal of the customer, or of another one. */
    async portal(customer_id = customerId): Promise<string> {
      const order = { customer_id, ...urls };
      return at((await client.api('createPortalSession', { body: order })).redirect_url);
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** The site, on its own origin, that sends customers to hosted pages and to which they return. */
async function openShop() {
  const server = await startServer((request, response) => {
    if (request.url?.startsWith('/return'))
      response.writeHead(302, { Location: `http://localhost:${server.port}/thanks` });
    else response.setHeader('Content-Type', 'text/html');
    response.end(`<title>Shop</title><p>${request.url === '/failed' ? 'Not paid' : 'Thanks'}</p>`);
  });
  return {
    return_url: `${server.url}/return?order=7#done`,
    failure_url: `${server.url}/failed`,
    /** The page to which `return_url` redirects, on a third origin. */
    thanks: `http://localhost:${server.port}/thanks#done`,
    close: server.close,
  };
}

export const POPULATED_KEY = 'key_test_people';

/** For tests of pages: a world filled by the page's populate button, and its 60 customers as listed. */
export async function openPopulatedWorld() {
  const client = createTestClient({ port: 0 });
  await client.http.post(`/_emulator/ui/populate?key=${POPULATED_KEY}`).type('form').send({});
  const all = { key: POPULATED_KEY, query: { limit: 100 } };
  const { items } = await client.api('listCustomers', all);
  return { client, customers: items as readonly AnyBody[] };
}

export async function readPortal(
  { api, http }: TestClient,
  customer_id: string,
  key = POPULATED_KEY,
): Promise<string> {
  const session = { key, body: { customer_id, ...URLS } };
  const { redirect_url } = await api('createPortalSession', session);
  const { headers } = await http.get(new URL(redirect_url).pathname);
  return (await http.get(String(headers['location']))).text;
}
