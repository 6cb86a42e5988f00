import { describe, expect, it } from 'vitest';
import { createTestClient, TEST_NOW } from '../testing/client.ts';
import { aFaultyWorld, imageOf, restoreWorld } from '../testing/worlds.ts';

const client = createTestClient();
const world = (...rules: object[]) => aFaultyWorld(client, ...rules);

const GREEN = 201;

describe('a fault rule', () => {
  it('returns its status with the documented body, and changes nothing', async () => {
    const { create, key, customers } = await world({
      match: { operation: 'createCustomer' },
      status: 422,
    });

    const response = await client.send('createCustomer', { key, body: { name: 'Ada' } });

    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ type: '/problems/validation', status: 422 });
    expect(response.headers).toMatchObject({
      'x-emulator-fault': 'rule 1: status=422',
      'x-emulator-state': 'unchanged',
      'x-request-id': 'req_1',
    });
    expect(customers()).toBe(0);
    expect(await create()).toBe(422);
  });

  it('returns an undocumented status with a problem body from 400 on, and its own headers', async () => {
    const { key } = await world(
      { match: { operation: 'listCustomers' }, status: 418, headers: { 'Retry-After': '7' } },
      { match: { operation: 'deleteWebhook' }, status: 204 },
      { match: { operation: 'getProduct' }, status: 302, headers: { Location: '/elsewhere' } },
    );

    const teapot = await client.send('listCustomers', { key });
    const gone = await client.send('deleteWebhook', { key, path: { webhookId: 'x' } });
    const moved = await client.send('getProduct', { key, path: { productId: 'x' } });

    expect(teapot.body).toEqual({
      type: '/problems/fault',
      title: "I'm a Teapot.",
      status: 418,
      detail: 'An injected fault, rule 1: status=418.',
    });
    expect(teapot.headers['retry-after']).toBe('7');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect([moved.status, moved.text, moved.headers['location']]).toEqual([302, '', '/elsewhere']);
  });

  it.each([
    [{ times: 2 }, [503, 503, GREEN, GREEN, GREEN, GREEN], [6, 2]],
    [{ times: 0 }, [GREEN, GREEN, GREEN, GREEN, GREEN, GREEN], [6, 0]],
    [{ skip: 2 }, [GREEN, GREEN, 503, 503, 503, 503], [6, 4]],
    [{ skip: 2, times: 1 }, [GREEN, GREEN, 503, GREEN, GREEN, GREEN], [6, 1]],
  ])(
    'with %o applies to the scheduled requests and counts them',
    async (schedule, expected, counts) => {
      const { statuses, counts: counted } = await world({ status: 503, ...schedule });

      expect(await statuses(6)).toEqual(expected);
      expect(await counted()).toEqual([counts]);
    },
  );

  it('passes a request on to the next rule only if it was not applied', async () => {
    const { statuses, counts } = await world(
      { status: 503, times: 1 },
      { status: 422, skip: 1, times: 1 },
      { match: { operation: 'listVendors' }, status: 500 },
    );

    expect(await statuses(4)).toEqual([503, GREEN, 422, GREEN]);
    expect(await counts()).toEqual([
      [4, 1],
      [3, 1],
      [0, 0],
    ]);
  });

  it.each([
    [{ operation: 'getWallet' }, [200, 503]],
    [{ customer: 'acme' }, [503, 503]],
    [{ customer: 'other' }, [200, 200]],
    [{ operation: 'getCustomer', customer: 'acme' }, [503, 200]],
  ])('matches requests by %o', async (match, expected) => {
    const { key } = await world();
    const body = { name: 'Acme', external_id: 'acme' };
    const { id } = await client.api('createCustomer', { key, body }, 201);
    await client.api('setFaults', { key, body: { rules: [{ match, status: 503 }] } });
    const parts = { key, path: { customerId: id } };

    const customer = await client.send('getCustomer', parts);
    const wallet = await client.send('getWallet', parts);

    expect([customer.status, wallet.status]).toEqual(expected);
  });

  it('applies to unknown paths and invalid requests, but not without a valid key', async () => {
    const { key } = await world({ status: 503 });
    const authorization = `Bearer ${key}`;

    const unknown = await client.http.get('/nowhere').set('Authorization', authorization);
    const broken = await client.http
      .post('/customers')
      .set('Authorization', authorization)
      .set('Content-Type', 'application/json')
      .send('{');
    const stranger = await client.http.get('/customers').set('Authorization', 'Bearer nobody');

    expect([unknown.status, broken.status, stranger.status]).toEqual([503, 503, 401]);
  });

  it('does not apply to the control API or to other worlds', async () => {
    const { key } = await world({ status: 503 }, { connection: 'reset' });

    await client.api('getClock', { key });
    await client.api('listCustomers', { key: `${key}-other` });
    await client.api('listCustomers', { key: key.replace('test', 'live') });
  });

  it('is removed when its world is restored, and by an empty list', async () => {
    const { key, create, counts } = await world({ status: 503 });
    const live = client.emulator.worlds.find(key);
    restoreWorld(live, imageOf(live));
    expect(await create()).toBe(201);

    await client.api('addFault', { key, body: { status: 503 } }, 201);
    expect(await create()).toBe(503);
    await client.api('setFaults', { key, body: { rules: [] } });
    expect(await create()).toBe(201);
    expect(await counts()).toEqual([]);
  });

  it('keeps its counts when another rule is added after it', async () => {
    const { key, create, counts } = await world({ status: 503, times: 1 });
    await create();

    await client.api('addFault', { key, body: { name: 'second', status: 422 } }, 201);

    expect([await create(), await create()]).toEqual([422, 422]);
    expect(await counts()).toEqual([
      [3, 1],
      [2, 2],
    ]);
  });

  it('is named in the request log', async () => {
    const { create, log } = await world({ name: 'outage of Tuesday', status: 503, times: 1 });
    await create();
    await create();

    const { items } = await log();
    expect(items).toMatchObject([
      { ordinal: 2, status: 201 },
      { ordinal: 1, status: 503, fault: 'outage of Tuesday: status=503', changes: [] },
    ]);
    expect(items[0].fault).toBeUndefined();
  });
});

describe('a rate limit fault', () => {
  it('allows `limit` requests per period of world time, then returns 429 with Retry-After', async () => {
    const { key, create, statuses } = await world({
      match: { operation: 'createCustomer' },
      rate_limit: { limit: 2, period: '10s', clock: 'world' },
    });
    expect(await statuses(4)).toEqual([201, 201, 429, 429]);

    await client.api('advanceClock', { key, body: { by: '8500ms' } });
    const refused = await client.send('createCustomer', { key, body: { name: 'Ada' } });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body).toEqual({
      type: '/problems/fault',
      title: 'Too Many Requests.',
      status: 429,
      detail: 'Too many requests. Try again in 2 s.',
    });

    await client.api('advanceClock', { key, body: { by: '2s' } });
    expect(await create()).toBe(201);
    const body = { mode: 'frozen', now: TEST_NOW };
    await client.api('setClock', { key, body });
    expect(await statuses(3)).toEqual([201, 201, 429]);
  });
});
