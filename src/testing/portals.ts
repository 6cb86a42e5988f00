import { URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import type { HostedPages } from './hosted.ts';
import { HOSTILE_TEXTS } from './hostile.ts';
import { type RecordPages, seedBusyWorld, seedHostileWorld } from './inspected.ts';

const INBOX = 'http://127.0.0.1:9/hook';

/** A customer with some of everything in the portal; the address of it. */
export async function openBusyPortal({ client, portal }: HostedPages): Promise<string> {
  return portal(customerOf(await seedBusyWorld(client, INBOX)));
}

/** A customer with nothing; the address of the portal. */
export async function openEmptyPortal({ client, portal }: HostedPages): Promise<string> {
  return portal((await client.api('createCustomer', { body: { name: 'Initech' } }, 201)).id);
}

/** A customer all of whose texts are hostile; the addresses of the portal and of a checkout. */
export async function openHostilePortal({ client, portal, topUp }: HostedPages) {
  const customer_id = customerOf(await seedHostileWorld(client));
  const { markup, rightToLeft, emoji, longName } = HOSTILE_TEXTS;
  const description = `${markup} ${rightToLeft} ${emoji} ${longName}`;
  const { url } = await topUp({ customer_id, description });
  return { portal: await portal(customer_id), checkout: url };
}

const customerOf = ({ customer }: RecordPages): string => customer.slice('/customers/'.length);

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
