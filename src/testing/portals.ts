import { URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';

export const POPULATED_KEY = 'key_test_people';

/** For tests of pages: a world filled by the page's populate button, and its 60 customers as listed. */
export async function openPopulatedWorld() {
  const client = createTestClient({ port: 0 });
  await client.http.post(`/_emulator/ui/populate?key=${POPULATED_KEY}`).type('form').send({});
  const all = { key: POPULATED_KEY, query: { limit: 100 } };
  const { items } = await client.api('listCustomers', all, 200);
  return { client, customers: items as readonly AnyBody[] };
}

export async function readPortal(
  { api, http }: TestClient,
  customer_id: string,
  key = POPULATED_KEY,
): Promise<string> {
  const session = { key, body: { customer_id, ...URLS } };
  const { redirect_url } = await api('createPortalSession', session, 200);
  const { headers } = await http.get(new URL(redirect_url).pathname);
  return (await http.get(String(headers['location']))).text;
}
