import { beforeEach, describe, expect, it } from 'vitest';
import { nextUuid } from '../testing/catalog.ts';
import {
  type AnyBody,
  asNewAccount,
  createTestClient,
  TEST_NOW,
  type TestClient,
} from '../testing/client.ts';

let client: TestClient;
beforeEach(() => {
  client = createTestClient();
});

const create = (body: object, status = 201) => client.api('createCustomer', { body }, status);
const list = (query = {}, key = 'key_test_emulator') => client.api('listRequests', { query, key });

describe('listRequests', () => {
  it('returns a request with its response and the rows that it changed', async () => {
    const { id } = await create({ name: 'Acme', external_id: 'acme' });
    const { items, total_count } = await list();

    expect(total_count).toBe(1);
    expect(items[0]).toMatchObject({
      ordinal: 1,
      request_id: 'req_1',
      at: TEST_NOW,
      operation: 'createCustomer',
      method: 'POST',
      path: '/customers',
      status: 201,
      request_body: { name: 'Acme', external_id: 'acme' },
      response_body: { id },
    });
    expect(items[0].changes).toContainEqual(
      expect.objectContaining({
        change: 'added',
        words: 'customers',
        id,
        name: 'acme',
        fields: expect.arrayContaining([{ field: 'name', after: 'Acme' }]),
      }),
    );
  });

  it('returns a page, newest first, with the count of all matching requests', async () => {
    for (const name of ['A', 'B', 'C']) await create({ name });
    await create({}, 422);
    const page = await list({ status: 201, limit: 2 });

    expect(page.total_count).toBe(3);
    expect(page.items.map(({ request_body }: AnyBody) => request_body.name)).toEqual(['C', 'B']);
  });

  it('returns a body as it came, also if it looks like what stands for an exact number', async () => {
    const body = { name: '\u0000...', metadata: { a: '\u00001' }, '\u0000-': 1 };
    await create(body, 422);
    const har = await client.api('exportRequests', { query: { format: 'har' } });

    expect((await list()).items[0].request_body).toEqual(body);
    expect(JSON.parse(har.log.entries[0].request.postData.text)).toEqual(body);
  });

  it('filters by customer, by id or external id, in path, body or response', async () => {
    const { id } = await create({ name: 'Acme', external_id: 'acme' });
    await create({ name: 'Other', external_id: 'other' });
    await client.api('getWallet', { path: { customerId: id } });
    await client.api('submitEvents', { body: { customer_external_id: 'acme', events: [] } }, 422);
    const operations = async (customer: string) =>
      (await list({ customer })).items.map(({ operation }: AnyBody) => operation);

    expect(await operations('acme')).toEqual(['submitEvents', 'getWallet', 'createCustomer']);
    expect(await operations(id)).toEqual(['submitEvents', 'getWallet', 'createCustomer']);
  });

  it('shows a connected account only its own requests', async () => {
    const headers = await asNewAccount(client.api);
    await client.send('listCustomers', { headers });
    const { items } = await client.api('listRequests', { headers });

    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      operation: 'listCustomers',
      owner: headers['X-Service-Account'],
    });
  });

  it('redacts keys, secrets and the tokens of links', async () => {
    const body = { url: 'https://example.com/hook', topics: ['*'] };
    const { secret } = await client.api('createWebhook', { body }, 201);
    const { id } = await create({ name: 'Acme' });
    const urls = { return_url: 'https://a.example', failure_url: 'https://b.example' };
    const topUp = { amount: 10, currency: 'USD', ...urls };
    const { redirect_url } = await client.api(
      'createTopUp',
      { path: { customerId: id }, body: { customer_id: id, ...topUp } },
      201,
    );
    const token = redirect_url.split('/').at(-1);
    const text = JSON.stringify(await list());

    expect(token.length).toBeGreaterThan(20);
    for (const hidden of [secret, token, 'key_test_emulator']) expect(text).not.toContain(hidden);
  });

  it('leaves out requests to the control API', async () => {
    await list();
    await list();
    const response = await client.send('listCustomers');

    expect(response.headers['x-request-id']).toBe('req_1');
    expect((await list()).total_count).toBe(1);
  });

  it('keeps a limited number of bytes over all worlds', async () => {
    client = createTestClient({ limits: { MAX_LOG_BYTES: 20_000 } });
    for (let turn = 0; turn < 10; turn += 1) {
      await client.api('createCustomer', { body: { name: 'A' }, key: 'key_test_one' }, 201);
      await client.api('createCustomer', { body: { name: 'B' }, key: 'key_test_two' }, 201);
    }
    const counts = [
      (await list({}, 'key_test_one')).total_count,
      (await list({}, 'key_test_two')).total_count,
    ];

    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[0]).toBeLessThan(10);
    expect(Math.abs(counts[0] - counts[1])).toBeLessThan(2);
  });

  it('counts paths and headers towards these bytes', async () => {
    client = createTestClient({ limits: { MAX_LOG_BYTES: 20_000 } });
    const long = 'x'.repeat(6_000);
    const ask = (path: string) =>
      client.http.get(path).set('Authorization', 'Bearer key_test_emulator');
    for (let turn = 0; turn < 5; turn += 1) {
      await ask(`/customers?name=${long}`);
      await ask('/customers').set('X-Trace', long);
    }

    expect((await list()).total_count).toBe(2);
  });

  it('ends a page before it exceeds 4 MiB, and returns the rest by offset', async () => {
    const note = 'x'.repeat(200_000);
    for (let turn = 0; turn < 25; turn += 1)
      await create({ name: String(turn), metadata: { note } }, 422);
    const first = await list();
    const rest = await list({ offset: first.items.length });
    const names = [...first.items, ...rest.items].map(({ request_body }) => request_body.name);

    expect(JSON.stringify(first).length).toBeLessThan(4_194_304);
    // 21 items have more than 4.2 million characters.
    expect(first.items).toHaveLength(20);
    expect(first.total_count).toBe(25);
    expect(names).toEqual(Array.from({ length: 25 }, (_, place) => String(24 - place)));
  });

  it('truncates long bodies and changes, and reports their full length', async () => {
    const { id } = await create({ name: 'Acme' });
    const note = 'x'.repeat(1_000);
    const occurred_at = '2026-01-15T12:00:00Z';
    const events = Array.from({ length: 600 }, () => ({
      id: nextUuid(),
      event_type: 'call',
      occurred_at,
      data: { note },
    }));
    await client.api('submitEvents', { body: { customer_id: id, events } }, 204);
    const [item] = (await list()).items;

    expect(item.request_body).toHaveLength(262_144);
    expect(item.request_body).toMatch(/^\{"customer_id":"cust_/);
    // The change of each of the 600 events takes more than 500 characters.
    expect(item.changes.length).toBeGreaterThan(100);
    expect(item.changes.length).toBeLessThan(524);
    expect(item.truncated.request_body).toBeGreaterThan(600_000);
    expect(item.truncated.changes).toBeGreaterThanOrEqual(600);
    expect(item.truncated).not.toHaveProperty('response_body');
  });
});
