import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { exchangeBytes } from '../testing/server.ts';
import { aFaultyWorld, imageOf, restoreWorld } from '../testing/worlds.ts';

const client = createTestClient({ port: 0 });
const { emulator } = client;
const url = new URL(await emulator.listen());
afterAll(() => emulator.close());

const world = (...rules: object[]) => aFaultyWorld(client, ...rules);

/** Sends a request over its own connection. */
function exchange(key: string) {
  const body = '{"name":"Ada"}';
  return exchangeBytes(
    url.origin,
    `POST /customers HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

describe('a connection fault', () => {
  it('resets the connection without running the request', async () => {
    const { key, customers, newest } = await world({ connection: 'reset' });

    expect(await exchange(key)).toEqual({ end: 'ECONNRESET', text: '' });
    expect(customers()).toBe(0);
    expect(await newest()).toMatchObject({ status: 0, fault: 'rule 1: connection=reset' });
  });

  it('closes the connection without a byte and without running the request', async () => {
    const { key, customers, newest } = await world({ connection: 'empty' });

    expect(await exchange(key)).toEqual({ end: 'end', text: '' });
    expect(customers()).toBe(0);
    expect(await newest()).toMatchObject({ status: 0, fault: 'rule 1: connection=empty' });
  });

  it('runs the request and cuts off the response body', async () => {
    const { key, customers, newest } = await world({ connection: 'truncated' });

    const { end, text } = await exchange(key);

    const [head = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1.1 201 Created/);
    expect(body.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(length);
    expect(end).toBe('end');
    expect(customers()).toBe(1);
    expect(await newest()).toMatchObject({
      status: 201,
      fault: 'rule 1: connection=truncated',
      response_body: { id: expect.stringMatching(/^cust_/) },
    });
  });
});

describe('a request without a socket', () => {
  it.each(['connection=reset', 'connection=empty', 'connection=truncated', 'lost_response'])(
    'destroys its response before the head and logs the fault: %s',
    async (fault) => {
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { method: 'GET', url: '/customers' });
      request.headers = { authorization: 'Bearer key_test_bare', 'x-emulator-fault': fault };
      const response = new ServerResponse(request);
      request.push(null);

      emulator.handle(request, response);

      expect([response.destroyed, response.headersSent]).toEqual([true, false]);
      const { items } = await client.api('listRequests', { key: 'key_test_bare' });
      expect(items[0].fault).toBe(`asked for: ${fault}`);
    },
  );
});

describe('the fault lost_response', () => {
  it('runs the request, logs its changes and closes the connection without a byte', async () => {
    const { key, customers, newest } = await world({ lost_response: true, times: 1 });

    expect(await exchange(key)).toEqual({ end: 'end', text: '' });
    expect(customers()).toBe(1);
    const logged = await newest();
    expect(logged).toMatchObject({
      status: 201,
      fault: 'rule 1: lost_response',
      response_body: { id: expect.stringMatching(/^cust_/) },
    });
    expect(logged.changes.map(({ table }: { table: string }) => table)).toContain('customers');
  });

  it('runs none of the requests pipelined behind the faulty one', async () => {
    const { key, customers } = await world({ lost_response: true, times: 1 });
    const request =
      `POST /customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { text } = await exchangeBytes(
      url.origin,
      `${request}7\r\n{"name"\r\n7\r\n:"Ada"}\r\n0\r\n\r\n${request}7\r\n{"name"\r\n`,
    );

    expect(text).toBe('');
    expect(customers()).toBe(1);
  });

  it('drops an error response too', async () => {
    const { key, newest } = await world({ lost_response: true });

    await expect(client.send('createCustomer', { key, body: { name: 5 } })).rejects.toThrow();
    expect(await newest()).toMatchObject({ status: 422, fault: 'rule 1: lost_response' });
  });
});

/** To how many requests the first rule of a world was applied. */
async function applied(key: string): Promise<number> {
  const { rules } = await client.api('listFaults', { key });
  return rules[0].applied;
}

describe('a latency fault', () => {
  it('delays a request, then runs it and names the fault', async () => {
    const { key, customers, newest } = await world({ latency: '150ms' });
    const begin = performance.now();

    const pending = client.send('createCustomer', { key, body: { name: 'Ada' } });
    const response = await pending;

    expect(performance.now() - begin).toBeGreaterThan(140);
    expect(response.status).toBe(201);
    expect(response.headers['x-emulator-fault']).toBe('rule 1: latency=150ms');
    expect(customers()).toBe(1);
    expect(await newest()).toMatchObject({ status: 201, fault: 'rule 1: latency=150ms' });
  });

  it('does not run the request of a client that disconnects while it waits', async () => {
    const { key, customers, newest } = await world({ latency: '1h' });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const abort = new AbortController();
    const { signal } = abort;
    const pending = fetch(new URL('/customers', url), {
      method: 'POST',
      body: '{"name":"Ada"}',
      headers,
      signal,
    });
    while ((await applied(key)) === 0) await new Promise(setImmediate);
    const logged = client.api('waitForRequests', { key, body: { operation: 'createCustomer' } });
    abort.abort();

    await expect(pending).rejects.toThrow('aborted');
    await logged;
    expect(await newest()).toMatchObject({
      status: 0,
      fault: 'rule 1: latency=1h; the client disconnected',
      changes: [],
    });
    expect(customers()).toBe(0);
  });

  it('ends when the rules are cleared, and all waiting requests run', async () => {
    const { key, customers } = await world({ latency: '1h' });
    const names = Array.from({ length: 50 }, (_, index) => `Ada ${index}`);
    const pending = names.map((name) => client.send('createCustomer', { key, body: { name } }));
    const all = Promise.all(pending);
    while ((await applied(key)) < 50) await new Promise(setImmediate);

    await client.api('setFaults', { key, body: { rules: [] } });

    expect((await all).every(({ status }) => status === 201)).toBe(true);
    expect(customers()).toBe(50);
  });

  it('drops waiting requests without running them when the world is restored', async () => {
    const { key, customers } = await world({ latency: '1h' });
    const pending = client.send('createCustomer', { key, body: { name: 'Ada' } });
    const failed = expect(pending).rejects.toThrow();
    while ((await applied(key)) === 0) await new Promise(setImmediate);
    const live = emulator.worlds.find(key);

    restoreWorld(live, imageOf(live));

    await failed;
    expect(customers()).toBe(0);
    const { items } = await client.api('listRequests', { key });
    expect(items).toEqual([]);
  });

  it('does not delay the closing of an emulator', async () => {
    const other = createTestClient({ port: 0 });
    const address = await other.emulator.listen();
    await other.api('setFaults', { body: { rules: [{ latency: '1h' }] } });
    const headers = { Authorization: 'Bearer key_test_emulator' };
    const pending = Array.from({ length: 20 }, () => fetch(`${address}/customers`, { headers }));
    const settled = Promise.allSettled(pending);
    for (let seen = 0; seen < 20; ) {
      const { rules } = await other.api('listFaults');
      seen = rules[0].applied;
    }
    const begin = performance.now();

    await other.emulator.close();

    expect(performance.now() - begin).toBeLessThan(5_000);
    const told = (await settled).flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    expect(told.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect(told[0]?.headers.get('retry-after')).toBe('0');
  });
});
