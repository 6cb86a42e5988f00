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

  it('stores every field, and treats null as absent', async () => {
    const fields = {
      name: 'Acme',
      external_id: 'acme',
      email: 'Billing@acme.example.com',
      metadata: { segment: 'enterprise' },
      external_accounts: [
        { provider: 'card-processor', provider_id: 'acme-1' },
        { provider: 'card-processor', provider_id: 'acme-1' },
      ],
    };
    const id = await create(fields);
    const nameless = { external_id: null, email: null, metadata: null, subscriptions: null };
    const bare = await create({ name: 'Bare', ...nameless, external_accounts: null });

    expect(await show(id)).toMatchObject(fields);
    expect(await show(bare)).not.toHaveProperty('external_id');
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
  it('pages newest first', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await create({ name }));

    const page = await list({ limit: 2, offset: 1 });

    expect(page).toMatchObject({ total_count: 3, limit: 2, offset: 1 });
    expect(page.items).toEqual([
      { id: ids[1], name: 'b', active_subscription_count: 0 },
      { id: ids[0], name: 'a', active_subscription_count: 0 },
    ]);
    expect((await list({ offset: 9 })).items).toEqual([]);
  });

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

  it('ignores other filters with external_id, and returns 404 for an unknown one', async () => {
    const id = await create({ name: 'Acme', external_id: 'acme' });

    const unknown = await client.send('listCustomers', { query: { external_id: 'ACME' } });
    const filtered = await client.send('listCustomers', {
      query: { external_id: 'acme', status: 'active' },
    });

    expect([unknown.status, unknown.text]).toEqual([404, '']);
    expect(filtered.status).toBe(303);
    expect(filtered.headers['location']).toMatch(new RegExp(`/customers/${id}$`));
  });

  it('combines filters and ignores case', async () => {
    await aCatalogProduct(client, 'free', { prices: [PER_IMAGE] });
    const subscriptions = [{ products: [{ code: 'free' }] }];
    const a = await create({ name: 'Acme Robotics', email: 'Ops@x.example', subscriptions });
    const b = await create({ name: 'ACME Labs', email: 'ops@X.example' });
    const c = await create({ name: 'Zenith', email: 'ops@x.example' });
    const found = async (query: object) =>
      (await list(query)).items.map(({ id }: { id: string }) => id);

    expect(await found({ email: 'OPS@x.example' })).toEqual([c, b, a]);
    expect(await found({ email: 'nobody@x.example' })).toEqual([]);
    expect(await found({ name: 'acme' })).toEqual([b, a]);
    expect(await found({ name: 'acme', status: 'inactive' })).toEqual([b]);
    expect(await found({ status: 'active' })).toEqual([a]);
    expect(await found({ email: 'ops@x.example', name: 'LABS' })).toEqual([b]);
    expect(await found({ customer_id: a })).toEqual([a]);
    expect(await found({ customer_id: a, status: 'inactive' })).toEqual([]);
    expect(await found({ customer_id: 'cust_nothing' })).toEqual([]);
  });

  it('returns 400 for a status that customers do not have', async () => {
    const { detail } = await client.api(
      'listCustomers',
      { query: { status: 'action_required' } },
      400,
    );

    expect(detail).toContain('status');
  });
});

describe('getCustomer', () => {
  it('returns 404 for an unknown id', async () => {
    const response = await client.send('getCustomer', { path: { customerId: 'cust_nothing' } });

    expect([response.status, response.text]).toEqual([404, '']);
  });
});
