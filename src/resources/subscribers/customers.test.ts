import { beforeEach, describe, expect, it } from 'vitest';
import { aCatalogProduct, fixedPrice, PER_IMAGE, URLS } from '../../testing/catalog.ts';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient({ public_url: 'https://billing.example.com/' });
});

const create = async (body: object, parts: object = {}) =>
  (await client.api('createCustomer', { ...parts, body }, 201)).id as string;
const show = (customerId: string) => client.api('getCustomer', { path: { customerId } }, 200);
const list = (query: object) => client.api('listCustomers', { query: { ...query } }, 200);

describe('createCustomer', () => {
  it('with only a name leaves other fields absent, null or empty', async () => {
    const created = await client.api('createCustomer', { body: { name: 'Acme' } }, 201);

    expect(created).toEqual({ id: expect.stringMatching(/^cust_\w{26}$/), subscriptions: [] });
    expect(await show(created.id)).toEqual({
      id: created.id,
      name: 'Acme',
      active_subscription_count: 0,
      created_at: TEST_NOW,
      metadata: null,
      subscriptions: [],
      external_accounts: [],
    });
  });

  it('creates the subscriptions of the customer in the given order', async () => {
    await aCatalogProduct(client, 'free', { prices: [PER_IMAGE] });
    await aCatalogProduct(client, 'paid', { prices: [fixedPrice(20)] });
    const subscriptions = [
      { products: [{ code: 'paid' }], ...URLS },
      { products: [{ code: 'free' }] },
    ];

    const created = await client.api('createCustomer', { body: { name: 'A', subscriptions } }, 201);

    expect(created.subscriptions).toMatchObject([
      { status: 'action_required', products: [{ code: 'paid', version: 1 }] },
      { status: 'active', products: [{ code: 'free', version: 1 }], required_actions: [] },
    ]);
    const customer = await show(created.id);
    expect(customer.subscriptions).toEqual(created.subscriptions);
    expect(customer.active_subscription_count).toBe(1);
  });

  it('reports all errors at once and stores nothing', async () => {
    await aCatalogProduct(client, 'paid', { prices: [fixedPrice(20)], entitlements: [] });
    await create({ name: 'Acme', external_id: 'acme' });
    const subscriptions = [
      { products: [{ code: 'paid' }], ...URLS },
      { products: [{ code: 'nothing' }, { id: 'prp_nothing' }, {}] },
      { products: [{ code: 'paid', version: 7 }], renews_at: TEST_NOW },
    ];
    const body = { name: 'Other', external_id: 'acme', subscriptions };

    const { errors } = await client.api('createCustomer', { body }, 422);

    expect(Object.keys(errors).sort()).toEqual([
      'external_id',
      'subscriptions[1].products[0].code',
      'subscriptions[1].products[1].id',
      'subscriptions[1].products[2].id',
      'subscriptions[2].failure_url',
      'subscriptions[2].products[0].version',
      'subscriptions[2].renews_at',
      'subscriptions[2].return_url',
    ]);
    expect((await list({})).total_count).toBe(1);
  });

  it('returns the same id whether or not earlier requests were rejected', async () => {
    await client.send('createCustomer', { body: { name: 'A', external_id: 1 } });
    await client.send('createCustomer', {
      body: { name: 'A', subscriptions: [{ products: [{ code: 'nothing' }] }] },
    });
    const id = await create({ name: 'A' });
    client = createTestClient();

    expect(await create({ name: 'A' })).toBe(id);
  });
});

describe('listCustomers', () => {
  it('redirects to the customer with the external_id', async () => {
    client = createTestClient();
    const id = await create({ name: 'Acme', external_id: 'acme & co' });

    const response = await client.send('listCustomers', { query: { external_id: 'acme & co' } });

    expect(response.status).toBe(303);
    expect(response.text).toBe('');
    const location = new URL(response.headers['location'] as string);
    expect(location.pathname).toBe(`/customers/${id}`);
    expect(location.host).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('redirects to an address under public_url', async () => {
    const id = await create({ name: 'Acme', external_id: 'acme' });

    const { headers } = await client.send('listCustomers', { query: { external_id: 'acme' } });

    expect(headers['location']).toBe(`https://billing.example.com/customers/${id}`);
  });
});

describe('updateCustomer', () => {
  const update = (customerId: string, body: object, status = 204) =>
    client.api('updateCustomer', { path: { customerId }, body }, status);

  it('accepts its own external_id and rejects that of another customer', async () => {
    await create({ name: 'Acme', external_id: 'acme' });
    const id = await create({ name: 'Zenith', external_id: 'zenith' });
    await update(id, { external_id: 'zenith' });

    const { errors } = await update(id, { external_id: 'acme' }, 422);

    expect(Object.keys(errors)).toEqual(['external_id']);
  });

  it('rejects null as name, and unknown fields', async () => {
    const id = await create({ name: 'Acme' });

    expect(Object.keys((await update(id, { name: null }, 422)).errors)).toEqual(['name']);
    expect(Object.keys((await update(id, { e_mail: 'x' }, 422)).errors)).toEqual(['e_mail']);
  });
});
