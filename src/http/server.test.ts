import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import supertest from 'supertest';
import { afterAll, expect, it } from 'vitest';
import { createTestClient, worldOf } from '../testing/client.ts';
import { startServer } from '../testing/server.ts';
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

const client = createTestClient({ limits: { MAX_LOGGED_REQUESTS: 10_000 } });
const server = await startServer(client.emulator.handle);
afterAll(() => client.emulator.close());

const REQUEST =
  'GET /assets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key_test_emulator\r\n\r\n';

function open(): Promise<Socket> {
  const { port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket));
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
  await client.api('listAssets', { key: 'key_test_other' }, 200);
  let seen = -1;
  while (seen !== counted()) {
    seen = counted();
    for (let turn = 0; turn < 50; turn += 1)
      await client.api('listAssets', { key: 'key_test_other' }, 200);
  }

  // Only the requests whose responses fit the connection's buffers are handled: tens of pages of 90 kB.
  expect(seen - before).toBeLessThan(200);
  socket.destroy();
});
