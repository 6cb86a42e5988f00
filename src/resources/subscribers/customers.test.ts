import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient({ public_url: 'https://billing.example.com/' });
});

const create = async (body: object) =>
  (await client.api('createCustomer', { body }, 201)).id as string;

describe('createCustomer', () => {
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
  it('redirects to an address under public_url', async () => {
    const id = await create({ name: 'Acme', external_id: 'acme' });

    const { headers } = await client.send('listCustomers', { query: { external_id: 'acme' } });

    expect(headers['location']).toBe(`https://billing.example.com/customers/${id}`);
  });
});
