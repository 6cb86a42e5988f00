import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import supertest from 'supertest';
import { expect, it } from 'vitest';
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
