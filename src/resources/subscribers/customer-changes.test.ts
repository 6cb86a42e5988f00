import { beforeEach, describe, expect, it } from 'vitest';
import { aCatalogProduct, entitlement } from '../../testing/catalog.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient({ public_url: 'https://billing.example.com/' });
});

const create = async (body: object, parts: object = {}) =>
  (await client.api('createCustomer', { ...parts, body }, 201)).id as string;
const show = (customerId: string) => client.api('getCustomer', { path: { customerId } }, 200);
const list = (query: object) => client.api('listCustomers', { query: { ...query } }, 200);

describe('updateCustomer', () => {
  const update = (customerId: string, body: object, status = 204) =>
    client.api('updateCustomer', { path: { customerId }, body }, status);

  it('changes the given fields and keeps the others', async () => {
    const id = await create({ name: 'Acme', external_id: 'acme', metadata: { a: '1' } });
    await update(id, { email: 'new@acme.example', metadata: { b: '2' } });
    await update(id, {});

    expect(await show(id)).toMatchObject({
      name: 'Acme',
      external_id: 'acme',
      email: 'new@acme.example',
      metadata: { b: '2' },
    });
    expect((await list({ email: 'NEW@acme.example' })).total_count).toBe(1);
  });

  it('clears fields set to null, and frees the external_id', async () => {
    const id = await create({
      name: 'Acme',
      external_id: 'acme',
      email: 'a@acme.example',
      metadata: { a: '1' },
      external_accounts: [{ provider: 'p', provider_id: '1' }],
    });
    await update(id, { external_id: null, email: null, metadata: null, external_accounts: null });

    const customer = await show(id);
    expect(customer).toMatchObject({ metadata: null, external_accounts: [] });
    expect(Object.keys(customer)).not.toContain('external_id');
    expect(Object.keys(customer)).not.toContain('email');
    expect((await list({ email: 'a@acme.example' })).items).toEqual([]);
    await create({ name: 'Heir', external_id: 'acme' });
  });

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

  it('returns 404 for an unknown id', async () => {
    await update('cust_nothing', { name: 'X' }, 404);
  });
});

describe('customers of two accounts', () => {
  it('are invisible to the other account', async () => {
    const account = await client.api('createConnectedAccount', { body: { name: 'Sub' } }, 201);
    const acting = { headers: { 'X-Service-Account': account.id } };
    await aCatalogProduct(client, 'free', { entitlements: [entitlement(5, { asset: 'USD' })] });
    const ours = await create({ name: 'Ours', external_id: 'acme', email: 'a@b.example' });
    const theirs = await create({ name: 'Theirs', external_id: 'acme' }, acting);

    const page = await client.api('listCustomers', acting, 200);
    const byEmail = { ...acting, query: { email: 'a@b.example' } };
    const byId = { ...acting, query: { customer_id: ours } };
    const foreign = { ...acting, path: { customerId: ours } };
    const subscriptions = [{ products: [{ code: 'free' }] }];
    const body = { name: 'X', subscriptions };

    expect(page.items.map(({ id }: { id: string }) => id)).toEqual([theirs]);
    expect((await client.api('listCustomers', byEmail, 200)).items).toEqual([]);
    expect((await client.api('listCustomers', byId, 200)).items).toEqual([]);
    await client.api('getCustomer', foreign, 404);
    await client.api('updateCustomer', { ...foreign, body: { name: 'X' } }, 404);
    const refused = await client.api('createCustomer', { ...acting, body }, 422);
    expect(Object.keys(refused.errors)).toEqual(['subscriptions[0].products[0].code']);
    const redirect = { ...acting, query: { external_id: 'acme' } };
    const { headers } = await client.send('listCustomers', redirect);
    expect(headers['location']).toContain(theirs);
  });
});
