import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, expect, it } from 'vitest';
import { createTestClient, worldOf } from '../testing/client.ts';
import { exchangeBytes } from '../testing/server.ts';
import { createFallback } from './fallback.ts';
import { listenOn } from './server.ts';

/** What the kernel waits for on the accepted connections of a port; 2 is to ask whether the client is there. */
function timersOf(port: number): string[] {
  const local = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')}$`);
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from = '', , state]) => local.test(from) && state === '01')
    .map(([, , , , , timer = '']) => timer.slice(0, 2));
}

it.runIf(process.platform === 'linux')('notices clients that are gone without a word', async () => {
  const server = await listenOn(() => {}, { host: '127.0.0.1', port: 0 });
  const client = connect(server.port, '127.0.0.1');
  await once(client, 'connect');
  await expect.poll(() => timersOf(server.port)).toEqual(['02']);

  client.destroy();
  await server.close();
});

it('a page that cannot be loaded, or whose handler fails, responds 500 and does not end the process', async () => {
  const server = createServer(
    createFallback({
      '/failing': async () => async () => {
        throw new Error('the disk is gone');
      },
      '/missing': () => Promise.reject(new Error('the file is gone')),
    }),
  );

  const client = supertest(server);
  const statuses = [await client.get('/failing'), await client.get('/missing')];

  expect(statuses.map(({ status }) => status)).toEqual([500, 500]);
});

const client = createTestClient({
  port: 0,
  limits: {
    MAX_LOGGED_REQUESTS: 10_000,
    MAX_BODY_BYTES: 300,
    MAX_EVENTS_BODY_BYTES: 400,
    MAX_IMPORT_BYTES: 500,
  },
});
const url = new URL(await client.emulator.listen());
afterAll(() => client.emulator.close());

const HEAD = 'Host: localhost\r\nAuthorization: Bearer key_test_emulator\r\n';
const REQUEST = `GET /assets HTTP/1.1\r\n${HEAD}\r\n`;

function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => resolve(socket));
  });
}

const counted = () => worldOf(client.emulator).requests ?? 0;

it('responds to all pipelined requests, one after another', async () => {
  const socket = await open();
  let text = '';
  const all = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.split('HTTP/1.1 200').length > 500) resolve();
    });
  });
  const before = counted();
  socket.write(REQUEST.repeat(500));
  await all;

  expect(counted() - before).toBe(500);
  expect([...text.matchAll(/X-Request-Id: req_(\d+)/g)].map(([, id]) => Number(id))).toEqual(
    Array.from({ length: 500 }, (_, index) => before + index + 1),
  );
  socket.destroy();
});

it('stops handling the requests of a client that does not read its responses', async () => {
  for (let count = 0; count < 300; count += 1)
    await client.api('createAsset', { body: { code: `A${count}`, name: 'x'.repeat(200) } }, 201);
  const socket = await open();
  socket.pause();
  const before = counted();
  const page = REQUEST.replace('/assets', '/assets?limit=300');
  for (let count = 0; count < 1_000; count += 1) socket.write(page);
  await client.api('listAssets', { key: 'key_test_other' });
  let seen = -1;
  while (seen !== counted()) {
    seen = counted();
    for (let turn = 0; turn < 50; turn += 1)
      await client.api('listAssets', { key: 'key_test_other' });
  }

  // Only the requests whose responses fit the connection's buffers are handled: tens of pages of 90 kB.
  expect(seen - before).toBeLessThan(200);
  socket.destroy();
});

/** Sends bytes and returns all that come back until the server closes the connection. */
const exchange = async (request: string) => (await exchangeBytes(url.origin, request)).text;

it('keeps a connection open without naming a time after which it is closed', async () => {
  const { headers } = await fetch(`${url.origin}/livez`);

  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
});

it.each(['/customers', '/_emulator/clock', '/_emulator/ui', '/livez'])(
  'serves %s requested by its absolute URL',
  async (path) => {
    const request = `GET http://localhost${path} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;

    expect((await exchange(request)).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
  },
);

const postTo = (path: string): string =>
  `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

const BOUNDED = [
  ['/customers', 300],
  ['/events', 400],
  ['/_emulator/import', 500],
] as const;

it.each([...BOUNDED, ['/_emulator/inbox/a', 400] as const])(
  'rejects a long body of %s with 413',
  async (path, limit) => {
    const head = `Content-Length: ${limit + 1}\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(`${postTo(path)}${head}${'x'.repeat(limit + 1)}`);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`at most ${limit} bytes`);
  },
);

it.each(BOUNDED)(
  'rejects a long chunked body of %s with 413, then serves the next request',
  async (path, limit) => {
    const part = `${(limit - 1).toString(16)}\r\n${'x'.repeat(limit - 1)}\r\n`;
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${part}${part}0\r\n\r\n`;
    const next = `GET /livez HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
    const answer = await exchange(`${postTo(path)}${chunked}${next}`);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`at most ${limit} bytes`);
    expect(answer).toContain('HTTP/1.1 200 OK');
  },
);

it('rejects an invalid chunked import with 400, then serves the next request', async () => {
  const head = `${postTo('/_emulator/import')}Transfer-Encoding: chunked\r\n\r\n`;
  const part = `64\r\n${'x'.repeat(100)}\r\n`;
  const next = `GET /livez HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
  const answer = await exchange(`${head}${part}${part}0\r\n\r\n${next}`);

  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*not valid JSON[\s\S]*HTTP\/1\.1 200 OK/);
});

const sendEncoded = (path: string, coding: string, body: BodyInit) =>
  fetch(new URL(path, url), {
    method: 'POST',
    body,
    headers: {
      Authorization: 'Bearer key_test_emulator',
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
    },
  });

it.each(['/customers', '/_emulator/import', '/_emulator/inbox/a'])(
  'rejects a gzip-encoded body of %s with 415',
  async (path) => {
    const answer = await sendEncoded(path, 'gzip', gzipSync('{"name":"Acme"}'));

    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      status: 415,
      detail: expect.stringContaining('without Content-Encoding'),
    });
  },
);

it.each(['identity', 'Identity'])('accepts a body with the Content-Encoding %s', async (coding) => {
  expect((await sendEncoded('/customers', coding, '{"name":"Acme"}')).status).toBe(201);
});

it('serves others when a request is cut off in its body', async () => {
  const socket = await open();
  const head = `${postTo('/customers')}Content-Length: 100\r\n\r\n`;
  await new Promise<void>((resolve) => {
    socket.write(`${head}{"na`, () => {
      socket.destroy();
      resolve();
    });
  });
  const headers = { Authorization: 'Bearer key_test_emulator' };

  expect((await fetch(`${url.origin}/customers`, { headers })).status).toBe(200);
});
