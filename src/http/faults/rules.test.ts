import { describe, expect, it } from 'vitest';
import { createTestClient } from '../../testing/client.ts';
import { aFaultyWorld } from '../../testing/setups/faulty-world.ts';

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

  it('applies only to the requests it matches', async () => {
    const { create, list } = await world({ match: { operation: 'createCustomer' }, status: 503 });

    expect([await create(), (await list()).status]).toEqual([503, 200]);
  });

  it('returns an undocumented status with a problem body, or with its own headers and body', async () => {
    const { key } = await world(
      { match: { method: 'GET' }, status: 418, headers: { 'Retry-After': '7' } },
      {
        match: { method: 'POST' },
        status: 502,
        body: '<h1>Bad gateway</h1>',
        headers: { 'content-type': 'text/html' },
      },
      { match: { method: 'PATCH' }, status: 200, body: { odd: [1, null] } },
      { match: { method: 'DELETE' }, status: 204 },
    );

    const teapot = await client.send('listCustomers', { key });
    const gateway = await client.send('createCustomer', { key, body: { name: 'Ada' } });
    const odd = await client.send('updateCustomer', { key, path: { customerId: 'x' }, body: {} });
    const gone = await client.send('deleteWebhook', { key, path: { id: 'x' } });

    expect(teapot.body).toEqual({
      type: '/problems/fault',
      title: "I'm a Teapot.",
      status: 418,
      detail: 'An injected fault, rule 1: status=418.',
    });
    expect(teapot.headers['retry-after']).toBe('7');
    expect([gateway.status, gateway.text]).toEqual([502, '<h1>Bad gateway</h1>']);
    expect(gateway.headers['content-type']).toBe('text/html');
    expect([odd.status, odd.body]).toEqual([200, { odd: [1, null] }]);
    expect([gone.status, gone.text]).toEqual([204, '']);
  });

  it.each([
    [{ times: 2 }, [503, 503, GREEN, GREEN, GREEN, GREEN], [6, 2]],
    [{ times: 0 }, [GREEN, GREEN, GREEN, GREEN, GREEN, GREEN], [6, 0]],
    [{ skip: 2 }, [GREEN, GREEN, 503, 503, 503, 503], [6, 4]],
    [{ every: 3 }, [GREEN, GREEN, 503, GREEN, GREEN, 503], [6, 2]],
    [{ skip: 1, every: 2, times: 1 }, [GREEN, GREEN, 503, GREEN, GREEN, GREEN], [6, 1]],
    [{ probability: 0 }, [GREEN, GREEN, GREEN, GREEN, GREEN, GREEN], [6, 0]],
    [{ probability: 1 }, [503, 503, 503, 503, 503, 503], [6, 6]],
  ])(
    'with %o applies to the scheduled requests and counts them',
    async (schedule, expected, counts) => {
      const { statuses, counts: counted } = await world({ status: 503, ...schedule });

      expect(await statuses(6)).toEqual(expected);
      expect(await counted()).toEqual([counts]);
    },
  );

  it('with a probability applies to the same requests in every run, close to that share', async () => {
    const { key, statuses } = await world({ status: 503, probability: 0.3 });
    const first = await statuses(100);
    await client.control(
      'setFaults',
      { key, body: { rules: [{ status: 503, probability: 0.3 }] } },
      200,
    );

    expect(await statuses(100)).toEqual(first);
    const share = first.filter((status) => status === 503).length;
    expect(share).toBeGreaterThan(15);
    expect(share).toBeLessThan(45);
  });

  it('passes a request on to the next rule only if it was not applied', async () => {
    const { statuses, counts } = await world(
      { status: 503, times: 1 },
      { status: 422, skip: 1, times: 1 },
      { match: { path: '/nowhere' }, status: 500 },
    );

    expect(await statuses(4)).toEqual([503, GREEN, 422, GREEN]);
    expect(await counts()).toEqual([
      [4, 1],
      [3, 1],
      [0, 0],
    ]);
  });

  it.each([
    [{ path: '/customers/*/wallet' }, [200, 503]],
    [{ path: '/**/wallet' }, [200, 503]],
    [{ path: '/customers/*' }, [503, 200]],
    [{ path: '/customers/**' }, [503, 503]],
    [{ customer: 'acme' }, [503, 503]],
    [{ customer: 'other' }, [200, 200]],
    [{ headers: { 'x-trace': 'on' } }, [503, 503]],
    [{ headers: { 'X-Trace': 'off' } }, [200, 200]],
    [{ method: 'GET', operation: 'getWallet' }, [200, 503]],
    [{ method: 'POST' }, [200, 200]],
  ])('matches requests by %o', async (match, expected) => {
    const { key } = await world();
    const body = { name: 'Acme', external_id: 'acme' };
    const { id } = await client.api('createCustomer', { key, body }, 201);
    await client.control('setFaults', { key, body: { rules: [{ match, status: 503 }] } }, 200);
    const parts = { key, path: { customerId: id }, headers: { 'X-Trace': 'on' } };

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

    await client.control('getClock', { key }, 200);
    await client.api('listCustomers', { key: `${key}-other` }, 200);
    await client.api('listCustomers', { key: key.replace('test', 'live') }, 200);
  });

  it('is removed when its world is restored, and by clearFaults', async () => {
    const { key, create, counts } = await world({ status: 503 });
    const live = client.emulator.worlds.find(key);
    live?.restore(live.image());
    expect(await create()).toBe(201);

    await client.control('addFault', { key, body: { status: 503 } }, 201);
    expect(await create()).toBe(503);
    await client.control('clearFaults', { key }, 204);
    expect(await create()).toBe(201);
    expect(await counts()).toEqual([]);
  });

  it('keeps its counts when another rule is added after it', async () => {
    const { key, create, counts } = await world({ status: 503, times: 1 });
    await create();

    await client.control('addFault', { key, body: { name: 'second', status: 422 } }, 201);

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

  it('returns no body for HEAD', async () => {
    const { key } = await world({ status: 422 });

    const response = await client.http.head('/customers').set('Authorization', `Bearer ${key}`);

    expect(response.status).toBe(422);
    expect(Number(response.headers['content-length'])).toBeGreaterThan(50);
    expect(response.text).toBeUndefined();
  });

  it('counts exactly with 1,000 concurrent requests', async () => {
    const { key, counts, customers } = await world({ status: 503, every: 2, times: 300 });
    const send = async () =>
      (await client.send('createCustomer', { key, body: { name: 'A' } })).status;

    const statuses = await Promise.all(Array.from({ length: 1_000 }, send));

    expect(statuses.filter((status) => status === 503)).toHaveLength(300);
    expect(await counts()).toEqual([[1_000, 300]]);
    expect(customers()).toBe(700);
  }, 60_000);
});
