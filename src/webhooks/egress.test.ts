import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTestClient, worldOf } from '../testing/client.ts';
import { startServer } from '../testing/server.ts';
import { findForbidden, type Resolve } from './egress.ts';
import { createPoster } from './post.ts';

describe('findForbidden', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:0254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:0:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1:a9fe:a9:fe00::',
    '2002:a9fe:a9fe::1',
    '2001:0:0:0:0:0:5601:5601', // Teredo: the address of the client is inverted
    '::ffff:100.100.100.200',
  ])('returns a reason for the link-local or metadata address %s', (address) => {
    expect(findForbidden(address)).toBeDefined();
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.253.255.255',
    '169.255.0.0',
    '100.100.100.201',
    '8.8.8.8',
    '::1',
    'fd00::1',
    'fec0::1',
    '2606:4700::1111',
    '::ffff:127.0.0.1',
  ])('returns undefined for the allowed address %s', (address) => {
    expect(findForbidden(address)).toBeUndefined();
  });
});

/** A resolver that returns these addresses for every name. */
const resolving =
  (...addresses: { address: string; family: number }[]): Resolve =>
  (_name, _options, callback) =>
    callback(null, addresses);

const METADATA = { address: '169.254.169.254', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };

const posting = (url: string) => ({
  url,
  headers: {},
  body: '{}',
  signal: new AbortController().signal,
});

describe('a webhook request', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0xA9.0xFE.0xA9.0xFE/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'http://[::a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/latest/meta-data/',
    'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'https://169.254.169.254/',
  ])('to %s is not sent', async (url) => {
    const poster = createPoster();
    const { error, status_code } = await poster.post(posting(url));
    poster.close();

    expect(status_code).toBeNull();
    expect(error).toMatch(/^Not sent: .* is (a link-local|the metadata) address/);
  });

  it.each([
    [METADATA],
    [LOOPBACK, METADATA],
    [{ address: '::ffff:169.254.169.254', family: 6 }],
    [{ address: 'fe80::1', family: 6 }, LOOPBACK],
  ])('to a name that resolves to %j is not sent', async (...addresses) => {
    const poster = createPoster(resolving(...addresses));
    for (const scheme of ['http', 'https']) {
      const { error } = await poster.post(posting(`${scheme}://harmless.test:9/`));
      expect(error).toMatch(/^Not sent: /);
    }
    poster.close();
  });

  it('connects to the checked address, even if the name resolves to another one next', async () => {
    const connections: string[] = [];
    const server = createServer((socket) => {
      connections.push(socket.localAddress ?? '');
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
    });
    const { port } = await startServer(server);
    let asked = 0;
    const poster = createPoster((_name, _options, callback) => {
      asked += 1;
      callback(null, [asked % 2 === 1 ? LOOPBACK : METADATA]);
    });
    const first = await poster.post(posting(`http://rebinding.test:${port}/`));
    const second = await poster.post(posting(`http://rebinding.test:${port}/`));
    poster.close();
    server.close();

    expect(first.status_code).toBe(204);
    expect(second.error).toMatch(/^Not sent: 169.254.169.254/);
    expect([asked, connections]).toEqual([2, ['127.0.0.1']]);
  });

  it('does not follow a redirect', async () => {
    const server = createServer((socket) => {
      socket.end(
        'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/\r\n' +
          'Content-Length: 0\r\nConnection: close\r\n\r\n',
      );
    });
    const { port } = await startServer(server);
    const poster = createPoster();
    const { status_code, error } = await poster.post(posting(`http://127.0.0.1:${port}/`));
    poster.close();
    server.close();

    expect([status_code, error]).toEqual([307, 'Responded with 307. Redirects are not followed.']);
  });
});

it('the webhook log shows why a request to a forbidden address was not sent', async () => {
  const client = createTestClient();
  const url = 'https://169.254.169.254/latest';
  await client.api('createWebhook', { body: { url } }, 201);
  const path = { topic: 'subscription.activated' };
  await client.api('testWebhooks', { path, body: {} }, 202);
  const world = worldOf(client.emulator);
  await client.emulator.dispatcher.idle(world);
  const { items } = await client.api('listWebhookEvents');
  await client.emulator.close();

  expect(items[0].metadata.attempts).toMatchObject([
    { status_code: null, error: 'Not sent: 169.254.169.254 is a link-local address.' },
  ]);
});
