import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { nextUuid } from '../testing/catalog.ts';
import type { TestClient } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { PostgresEmulators } from '../testing/postgres/emulators.ts';
import { freePort, hasPostgres } from '../testing/postgres/server.ts';
import { type FrameReceiver, Link } from './link.ts';

const KEY = 'key_test_shared';
const AUTHORIZED = { Authorization: `Bearer ${KEY}` };

/** Passes bytes on to a port, and can cut its connections. */
async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    accepted += 1;
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => accepted,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.skipIf(!hasPostgres)('the connection between two emulators', () => {
  const emulators = new PostgresEmulators();
  let holder: TestClient;
  let other: TestClient & { readonly url: string };
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let port: number;
  beforeEach(async () => {
    port = await freePort();
    relay = await startRelay(port);
    holder = await emulators.start({ port, advertise: relay.url });
    await holder.emulator.listen();
    other = await emulators.startReachable();
    await holder.api(
      'createCustomer',
      { key: KEY, body: { name: 'Ann', external_id: 'ann' } },
      201,
    );
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${other.url}${path}`, { ...init, headers: { ...AUTHORIZED, ...init.headers } });
  const isInProgress = (count: number) =>
    eventually(() => holder.emulator.worlds.find(KEY)?.requests === count);

  it('is one for all requests, of which none waits for another', async () => {
    const waiting = ask('/_emulator/inbox/orders/wait');
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await ask('/customers?limit=1')).status),
    );
    const hasWaited = await Promise.race([waiting.then(() => false), Promise.resolve(true)]);
    await ask('/_emulator/inbox/orders', { method: 'POST', body: '{"type":"one"}' });

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(hasWaited).toBe(true);
    expect((await waiting).status).toBe(200);
    expect(relay.accepted()).toBe(1);
  });

  it('carries large bodies both ways, whether their length is known or not', async () => {
    const text = JSON.stringify({ type: 'large', filler: 'é'.repeat(300_000) });
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 10_000)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 10_000)));
        controller.close();
      },
    });
    const sent = await ask('/_emulator/inbox/large', { method: 'POST', body: text });
    const streamed = await ask('/_emulator/inbox/large', {
      method: 'POST',
      body: pieces,
      duplex: 'half',
    } as RequestInit);
    const received = await (await ask('/_emulator/inbox/large')).json();
    const direct = await holder.http.get('/_emulator/inbox/large').set(AUTHORIZED);

    expect([sent.status, streamed.status]).toEqual([204, 204]);
    expect(received.total_count).toBe(2);
    expect(received).toEqual(direct.body);
    expect(JSON.stringify(received)).toContain('é'.repeat(300_000));
  });

  it('lets others pass a client that does not read', async () => {
    const occurred_at = '2026-01-15T12:00:00.000Z';
    const note = 'x'.repeat(10_000);
    for (let sent = 0; sent < 20; sent += 1) {
      const events = Array.from({ length: 100 }, () => ({
        id: nextUuid(),
        event_type: 'call',
        occurred_at,
        data: { note },
      }));
      const body = { customer_external_id: 'ann', events };
      await holder.api('submitEvents', { key: KEY, body }, 204);
    }
    const unread = await ask('/_emulator/export');
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await ask('/customers?limit=1')).status),
    );

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await unread.text()).split(note)).toHaveLength(2_001);
    expect(relay.accepted()).toBe(1);
  });

  it('is made again after it was cut: what may have begun is lost, a read is not', async () => {
    const latency = { 'X-Emulator-Fault': 'latency=1s' };
    const body = JSON.stringify({ name: 'Bob' });
    const type = { 'Content-Type': 'application/json' };
    const [read, created] = [
      ask('/customers', { headers: latency }),
      ask('/customers', { method: 'POST', body, headers: { ...latency, ...type } }),
    ];
    await isInProgress(3);
    relay.cut();
    const lost = await created;

    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await lost.text()).toContain('was lost while it handled the request');
    expect((await read).status).toBe(200);
    expect(relay.accepted()).toBe(2);
  });

  it('is given to nobody without the secret, and nothing else is tunnelled', async () => {
    const ends = ['emulator-link:3', '127.0.0.1:80'].map(async (target) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: a\r\nX-Emulator-Hop: guessed\r\n\r\n`);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      await once(socket, 'close');
      return text;
    });

    expect(await Promise.all(ends)).toEqual(['', '']);
  });

  it('takes nothing from a client that says what emulators say', async () => {
    const given = await ask('/customers', { headers: { 'X-Emulator-Hand-Over': KEY } });

    expect(await given.json()).toMatchObject({ total_count: 1 });
    expect(other.emulator.worlds.has(KEY)).toBe(false);
  });
});

/** What a link writes to comes back from it. */
const loopback = (): Socket => {
  const pipe = new PassThrough();
  return Object.assign(pipe, { setNoDelay: () => pipe, setKeepAlive: () => pipe }) as never;
};

describe('a link', () => {
  it.each([11, 1_000, 65_536])('reads frames from pieces of %i bytes', async (step) => {
    const [sending, receiving] = [loopback(), loopback()];
    const near = new Link(() => {});
    near.connect(sending);
    near.send(1, 'head', 'GET é');
    near.sendBody(1, Buffer.alloc(70_000, 'a'));
    near.send(1, 'done');
    const [bytes] = await once(sending, 'data');
    const got: string[] = [];
    const note = (kind: string) => (payload: Buffer) => {
      got.push(`${kind} ${payload.length} ${payload.toString().slice(0, 5)}`);
    };
    const receiver: FrameReceiver = {
      whole: note('whole'),
      head: note('head'),
      body: note('body'),
      done: note('done'),
      cancel: note('cancel'),
      pause: note('pause'),
      resume: note('resume'),
    };
    const far = new Link(
      () => {},
      () => receiver,
    );
    far.connect(receiving);
    for (let at = 0; at < bytes.length; at += step)
      receiving.emit('data', bytes.subarray(at, at + step));

    expect(got).toEqual(['head 6 GET é', 'body 65536 aaaaa', 'body 4464 aaaaa', 'done 0 ']);
  });
});
