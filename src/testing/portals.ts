import { URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import type { HostedPages } from './hosted.ts';
import { HOSTILE_TEXTS } from './hostile.ts';
import { type RecordPages, seedBusyWorld, seedHostileWorld } from './inspected.ts';

const INBOX = 'http://127.0.0.1:9/hook';

/** Opens the portal of a customer with some of everything. Returns its address. */
export const openBusyPortal = async ({ client, portal }: HostedPages): Promise<string> =>
  portal(customerOf(await seedBusyWorld(client, INBOX)));

/** Opens the portal of a customer with nothing. Returns its address. */
export const openEmptyPortal = async ({ client, portal }: HostedPages): Promise<string> =>
  portal((await client.api('createCustomer', { body: { name: 'Initech' } }, 201)).id);

/** Opens the portal of a customer with hostile texts. Returns the addresses of the portal and a checkout. */
export async function openHostilePortal({ client, portal, topUp }: HostedPages) {
  const customer_id = customerOf(await seedHostileWorld(client));
  const { markup, rightToLeft, emoji, longName } = HOSTILE_TEXTS;
  const description = `${markup} ${rightToLeft} ${emoji} ${longName}`;
  const { url } = await topUp({ customer_id, description });
  return { portal: await portal(customer_id), checkout: url };
}

const customerOf = ({ customer }: RecordPages): string => customer.slice('/customers/'.length);

export const POPULATED_KEY = 'key_test_people';

/** For tests of pages: a world filled by the page's populate button, and its 60 customers as listed. */
export async function openPopulatedWorld() {
  const client = createTestClient({ port: 0 });
  await client.http.post(`/_emulator/ui/populate?key=${POPULATED_KEY}`).type('form').send({});
  const all = { key: POPULATED_KEY, query: { limit: 100 } };
  const { items } = await client.api('listCustomers', all, 200);
  return { client, customers: items as readonly AnyBody[] };
}

/** Returns the HTML of the portal of a customer. */
export async function readPortal({ api, http }: TestClient, customer_id: string): Promise<string> {
  const session = { key: POPULATED_KEY, body: { customer_id, ...URLS } };
  const { redirect_url } = await api('createPortalSession', session, 200);
  const { headers } = await http.get(new URL(redirect_url).pathname);
  return (await http.get(String(headers['location']))).text;
}
