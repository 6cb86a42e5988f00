import { expect, it } from 'vitest';
import {
  aCatalogProduct,
  anEvent,
  fixedPrice,
  nextUuid,
  URLS,
  usagePrice,
} from '../../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../../testing/client.ts';

/** Creates three customers: one in debt, one with an unpaid first fee, and one with neither. */
async function threeCustomers(): Promise<TestClient> {
  const client = createTestClient();
  await aCatalogProduct(client, 'metered', { prices: [usagePrice({})] });
  await aCatalogProduct(client, 'paid', { prices: [fixedPrice(30)] });
  const create = (name: string, subscription?: object) => {
    const body = { name, ...(subscription && { subscriptions: [subscription] }) };
    return client.api('createCustomer', { body }, 201);
  };
  const debtor = await create('Debtor', { products: [{ code: 'metered' }] });
  await client.api('submitEvents', { body: { customer_id: debtor.id, events: [anEvent()] } }, 204);
  await create('Waiting', { products: [{ code: 'paid' }], ...URLS });
  await create('Idle');
  return client;
}

const found = async (client: TestClient, q: string): Promise<string[]> => {
  const { text } = await client.http.get('/_emulator/ui/customers').query({ format: 'json', q });
  return JSON.parse(text).map(({ name }: { readonly name: string }) => name);
};

it.each([
  ['status:unpaid', ['Waiting']],
  ['status:action_required', ['Waiting']],
  ['status:required', ['Waiting']],
  ['status:active', ['Debtor']],
  ['status:scheduled', []],
  ['-status:unpaid', ['Idle', 'Debtor']],
  ['balance:<0', ['Debtor']],
  ['balance:<0 status:unpaid', []],
  ['balance:<0 debtor', ['Debtor']],
  ['-balance:<0', ['Idle', 'Waiting']],
])('the customer search finds the customers that match %j', async (q, names) => {
  expect(await found(await threeCustomers(), q)).toEqual(names);
});

it('the overview says who is below zero in an asset, over all accounts', async () => {
  const client = await threeCustomers();
  const { items } = await client.api('listCustomers', { query: { name: 'Debtor' } });
  const [{ id: customerId } = { id: '' }] = items;
  const overview = async () => (await client.http.get('/_emulator/ui')).text;
  const before = await overview();
  expect(before).toContain('1 customer below zero');
  expect(before).toMatch(/Debtor −\$1\.00/);

  const gift = { transaction_id: nextUuid(), reason: 'gift', asset: 'USD', amount: 1 };
  const body = { ...gift, account_name: 'other' };
  await client.api('adjustWallet', { path: { customerId }, body }, 201);

  expect(await overview()).not.toContain('below zero');
});

it.each([
  ['of spaces', ' \u00a0'],
  ['of no width', '\u200b\u2060\ufeff'],
])('a customer whose name is %s can be seen and clicked', async (_, name) => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name } }, 201);

  const { text } = await client.http.get('/_emulator/ui/customers');

  expect(text).toMatch(new RegExp(`<a href="[^"]*/customers/${id}"><bdi[^>]*>\\(blank\\)</bdi>`));
});

it('a name from right to left does not turn the sentence around it', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'שלום' } }, 201);
  const debt = { transaction_id: nextUuid(), asset: 'EUR', amount: 2 };
  await client.api('chargeWallet', { path: { customerId: id }, body: debt }, 201);

  const { text } = await client.http.get('/_emulator/ui');

  expect(text).toContain('<bdi dir="ltr">\u2068שלום\u2069 −€2.00</bdi>');
});

it('credit that expired is not said to be used up', async () => {
  const client = createTestClient();
  const { id } = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);
  const gift = { transaction_id: nextUuid(), asset: 'EUR', amount: 10, reason: 'gift' };
  const body = { ...gift, expires_at: '2026-01-16T00:00:00Z' };
  await client.api('adjustWallet', { path: { customerId: id }, body }, 201);
  await client.api('advanceClock', { body: { by: 'P1D' } });

  const { text } = await client.http.get(`/_emulator/ui/customers/${id}`);

  expect(text).toContain('from 15 Jan 2026, expired 16 Jan 2026');
});

it('the tab of profit lists the customers who lose most first', async () => {
  const client = createTestClient({ fixture: 'quickstart' });
  const costs = [{ id: nextUuid(), vendor_external_id: 'model-host', amount: 6.25 }];
  const event = anEvent({ event_type: 'unpriced', costs });
  const body = { customer_external_id: 'globex', events: [event] };
  await client.api('submitEvents', { body }, 204);
  await client.http.post('/_emulator/ui/first-fee');

  const { text } = await client.http.get('/_emulator/ui/customers/profit');

  const section = /data-testid="by-customer".*?<\/section>\s*<\/section>/s.exec(text)?.[0] ?? '';
  const names = [...section.matchAll(/<th scope="row".*?<bdi[^>]*>([^<]*)/gs)];
  expect(names.map(([, name]) => name)).toEqual(['Globex', 'Acme']);
});

it('a row of products in the tab of profit leads to the usage that all of them bill', async () => {
  const client = createTestClient();
  for (const code of ['chat', 'voice'])
    await aCatalogProduct(client, code, { name: code.toUpperCase(), prices: [usagePrice({})] });
  const subscriptions = [{ products: [{ code: 'chat' }, { code: 'voice' }] }];
  const { id } = await client.api('createCustomer', { body: { name: 'A', subscriptions } }, 201);
  await client.api('submitEvents', { body: { customer_id: id, events: [anEvent()] } }, 204);
  const { text } = await client.http.get('/_emulator/ui/customers/profit');
  const [, link = ''] = /href="([^"]*)"><bdi[^>]*>CHAT, VOICE</.exec(text) ?? [];

  const usage = await client.http.get(link.replaceAll('&amp;', '&'));

  expect(usage.text).toContain('data-testid="count">1 in all<');
});

it('the page of a product states its fixed fee, and nothing of usage', async () => {
  const client = createTestClient();
  const id = await aCatalogProduct(client, 'plan', { prices: [fixedPrice(20, 'year')] });

  const { text } = await client.http.get(`/_emulator/ui/products/${id}`);

  const [, version = ''] = /id="version-1"(.*?)<\/section>/s.exec(text) ?? [];
  expect(version.replaceAll(/<[^>]*>/g, '')).toMatch(/Fee\$20\.00 each year\.$/);
});

it('the ledger of a grant shows what gave and what drew its credit, newest first', async () => {
  const client = createTestClient({ fixture: 'quickstart' });
  await client.http.post('/_emulator/ui/first-fee');
  const { id } = await client.api('listCustomers', { query: { external_id: 'acme' } });
  const customer = await client.http.get(`/_emulator/ui/customers/${id}`);
  const [grant = ''] = /grt_\w{26}/.exec(customer.text) ?? [];

  const { text } = await client.http.get(`/_emulator/ui/ledger?q=grant:${grant}`);

  const rows = [...text.matchAll(/<tr[^>]*>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replaceAll(/<\/t[hd]>/g, '|').replaceAll(/<[^>]*>/g, ''),
  );
  expect(rows.map((row) => row.split('|').slice(3, 5))).toEqual([
    ['usage', '−$4.17'],
    ['adjustment', '+$100.00'],
  ]);
});
