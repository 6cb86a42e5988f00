import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { PostgresEmulators } from '../testing/postgres/emulators.ts';
import { freePort, hasPostgres } from '../testing/postgres/server.ts';
import { exchangeBytes } from '../testing/server.ts';

const KEY = 'key_test_shared';
const AUTHORIZED = { Authorization: `Bearer ${KEY}` };

type Reachable = TestClient & { readonly url: string };

const head = (method: string, path: string, ...lines: string[]) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: billing.localhost',
    `Authorization: Bearer ${KEY}`,
    ...lines,
    '\r\n',
  ].join('\r\n');

const post = (name: string, ...lines: string[]) => {
  const body = JSON.stringify({ name });
  return `${head('POST', '/customers', 'Content-Type: application/json', `Content-Length: ${body.length}`, ...lines)}${body}`;
};

describe.skipIf(!hasPostgres)('a request to an emulator that does not hold its world', () => {
  const emulators = new PostgresEmulators();
  let holder: Reachable;
  let other: Reachable;
  beforeEach(async () => {
    [holder, other] = [await emulators.startReachable(), await emulators.startReachable()];
    await holder.api('createCustomer', { key: KEY, body: { name: 'Ann' } }, 201);
  });

  const namesAt = async ({ api }: TestClient) =>
    (await api('listCustomers', { key: KEY })).items.map(({ name }: { name: string }) => name);

  it('is handled by the one that does, with the headers of both sides', async () => {
    const created = await other.send('createCustomer', { key: KEY, body: { name: 'Bob' } });
    const direct = await holder.send('listCustomers', { key: KEY });
    const forwarded = await other.send('listCustomers', { key: KEY });
    const { items } = await holder.api('listRequests', { key: KEY });

    expect(created.status).toBe(201);
    expect(forwarded.body).toEqual(direct.body);
    expect(forwarded.headers).toEqual({ ...direct.headers, 'x-request-id': expect.any(String) });
    expect(items).toHaveLength(4);
    expect(Object.keys(items[0].request_headers ?? items[0])).not.toContain('x-emulator-hop');
    expect(other.emulator.worlds.has(KEY)).toBe(false);
  });

  it('reaches a holder at an address of IPv6', async () => {
    const port = await freePort();
    const url = `http://[::1]:${port}`;
    const { api, emulator } = await emulators.start({ port, host: '::1', advertise: url });
    await emulator.listen();
    await api('createCustomer', { key: 'key_test_six', body: { name: 'Six' } }, 201);

    expect((await other.api('listCustomers', { key: 'key_test_six' })).total_count).toBe(1);
    expect(other.emulator.worlds.has('key_test_six')).toBe(false);
  });

  it('has links with the host of its caller', async () => {
    const { id } = await holder.api('createCustomer', { key: KEY, body: { name: 'Bob' } }, 201);
    const body = { customer_id: id, return_url: 'https://a.test', failure_url: 'https://a.test' };
    const { text } = await exchangeBytes(
      other.url,
      `${head('POST', '/billing-portal/sessions', 'Connection: close', 'Content-Type: application/json', `Content-Length: ${JSON.stringify(body).length}`)}${JSON.stringify(body)}`,
    );

    expect(text).toContain('"redirect_url":"http://billing.localhost/hosted/portal/');
  });

  it.each([
    ['connection=reset', { end: 'ECONNRESET', text: '' }, 1],
    ['connection=empty', { end: 'end', text: '' }, 1],
    ['lost_response', { end: 'end', text: '' }, 2],
  ])('ends as its fault says: %s', async (fault, expected, customers) => {
    const found = await exchangeBytes(other.url, post('Bob', `X-Emulator-Fault: ${fault}`));

    expect(found).toEqual(expected);
    expect(await namesAt(holder)).toHaveLength(customers);
  });

  it('is cut off in its body by a fault', async () => {
    const fault = 'X-Emulator-Fault: connection=truncated';
    const cut = await exchangeBytes(other.url, post('Bob', fault));
    const [, body = ''] = cut.text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(cut.text)?.[1]);

    expect(cut.end).toBe('end');
    expect(body).toHaveLength(Math.ceil(length / 2));
  });

  it('is handled in order with those that are pipelined behind it', async () => {
    const { text } = await exchangeBytes(
      other.url,
      ['Bob', 'Cid', 'Dan'].map((name) => post(name)).join('') +
        head('GET', '/assets') +
        head('GET', '/customers', 'Connection: close'),
    );

    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 201',
      'HTTP/1.1 201',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
    expect(await namesAt(other)).toEqual(['Dan', 'Cid', 'Bob', 'Ann']);
  });

  it('sends its body as it comes, also after `100 Continue`', async () => {
    const { port, hostname } = new URL(other.url);
    const socket = connect(Number(port), hostname);
    const body = '{"name":"Bob"}';
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.write(head('POST', '/customers', 'Expect: 100-continue', 'Connection: close', ...lines));
    const [asked] = await once(socket, 'data');
    socket.write(body);
    const [answer] = await once(socket, 'data');

    expect(String(asked)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(String(answer)).toMatch(/^HTTP\/1.1 201/);
  });

  it('is rejected where it arrives, and nobody can claim to have forwarded it', async () => {
    const headers = { ...AUTHORIZED, Origin: 'https://evil.test' };
    const foreign = await fetch(`${other.url}/customers`, { headers });
    const forged = await fetch(`${holder.url}/customers`, {
      headers: { ...headers, 'X-Emulator-Hop': 'secret token' },
    });

    expect([foreign.status, forged.status]).toEqual([403, 403]);
  });

  it('ends where it was sent when its client leaves, and is not sent again', async () => {
    const leaving = new AbortController();
    const fault = fetch(`${other.url}/customers`, {
      headers: { ...AUTHORIZED, 'X-Emulator-Fault': 'latency=30s' },
      signal: leaving.signal,
    });
    await eventually(() => holder.emulator.worlds.find(KEY)?.requests === 2);
    leaving.abort();
    await expect(fault).rejects.toThrow();

    await eventually(async () => {
      const { items } = await holder.api('listRequests', { key: KEY });
      return items[0].fault === 'asked for: latency=30s; the client disconnected';
    });
    await namesAt(other);
    const { total_count } = await holder.api('listRequests', { key: KEY });
    expect(total_count).toBe(3);
  });

  it('finds a world that has moved, without being told', async () => {
    const third = await emulators.startReachable();
    await namesAt(third);
    await emulators.stop(holder);
    await namesAt(other);

    expect(await namesAt(third)).toEqual(['Ann']);
    expect(third.emulator.worlds.has(KEY)).toBe(false);
  });

  it('gets 503 and Retry-After while the holder cannot be reached', async () => {
    await emulators.postgres.query(
      `UPDATE ${emulators.schema}.worlds SET url = 'http://127.0.0.1:1' WHERE key = '${KEY}'`,
    );
    const { status, headers, text } = await other.send('listCustomers', { key: KEY });

    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(text).toMatch(/held by another emulator, .*process \d+.*cannot be reached/);
    expect(text).not.toContain('127.0.0.1');
  });

  it('is not forwarded a second time, whatever the address of the holder leads to', async () => {
    const third = await emulators.startReachable();
    await emulators.postgres.query(
      `UPDATE ${emulators.schema}.worlds SET url = '${third.url}' WHERE key = '${KEY}'`,
    );
    const { status } = await other.send('createCustomer', { key: KEY, body: { name: 'Bob' } });
    const coming = await exchangeBytes(
      other.url,
      head('POST', '/customers', 'Connection: close', 'Content-Length: 9'),
    );

    expect(status).toBe(503);
    expect(coming.text).toMatch(/^HTTP\/1.1 503[\s\S]*retry-after: 0/i);
    expect(await namesAt(holder)).toEqual(['Ann']);
  });
});
