import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { exchangeBytes } from '../testing/server.ts';

const client = createTestClient({
  port: 0,
  limits: { MAX_BODY_BYTES: 100, MAX_EVENTS_BODY_BYTES: 200, MAX_IMPORT_BYTES: 300 },
});
const url = new URL(await client.emulator.listen());
afterAll(() => client.emulator.close());

const HEAD = 'Host: localhost\r\nAuthorization: Bearer key_test_emulator\r\n';

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

const POST = postTo('/customers');

function postTo(path: string, expect = 'Expect: 100-continue\r\n'): string {
  return `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${expect}`;
}

const BOUNDED = [
  ['/customers', 100],
  ['/events', 200],
  ['/_emulator/import', 300],
] as const;

it.each([...BOUNDED, ['/_emulator/inbox/a', 200] as const])(
  'rejects a long body of %s with 413',
  async (path, limit) => {
    const head = `Content-Length: ${limit + 1}\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(`${postTo(path, '')}${head}${'x'.repeat(limit + 1)}`);

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
    const answer = await exchange(`${postTo(path, '')}${chunked}${next}`);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`at most ${limit} bytes`);
    expect(answer).toContain('HTTP/1.1 200 OK');
  },
);

it('rejects an invalid chunked import with 400, then serves the next request', async () => {
  const head = `${postTo('/_emulator/import', '')}Transfer-Encoding: chunked\r\n\r\n`;
  const part = `64\r\n${'x'.repeat(100)}\r\n`;
  const next = `GET /livez HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
  const answer = await exchange(`${head}${part}${part}0\r\n\r\n${next}`);

  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*not valid JSON[\s\S]*HTTP\/1\.1 200 OK/);
});

it.each(BOUNDED)(
  'rejects Expect: 100-continue for a long body of %s before the body is sent',
  async (path, limit) => {
    const answer = await exchange(`${postTo(path)}Content-Length: ${limit + 1}\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`at most ${limit} bytes`);
    expect(answer).not.toContain('100 Continue');
  },
);

it('sends 100 Continue once for a body within the limit', async () => {
  const body = '{"name":"Acme"}';
  const request = `${POST}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const answer = await exchange(request);

  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  expect(answer.match(/100 Continue/g)).toHaveLength(1);
});

it('sends 100 Continue for the body of an inbox too', async () => {
  const head = `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n`;
  const answer = await exchange(
    `POST /_emulator/inbox/a HTTP/1.1\r\n${head}Content-Type: application/json\r\n\r\n{}`,
  );

  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
});

it.each(['/customers', '/_emulator/import', '/_emulator/inbox/a'])(
  'rejects a gzip-encoded body of %s with 415',
  async (path) => {
    const answer = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        Authorization: 'Bearer key_test_emulator',
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: gzipSync('{"name":"Acme"}'),
    });

    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      status: 415,
      detail: expect.stringContaining('without Content-Encoding'),
    });
  },
);

it.each(['identity', 'Identity'])('accepts a body with the Content-Encoding %s', async (coding) => {
  const answer = await fetch(new URL('/customers', url), {
    method: 'POST',
    headers: {
      Authorization: 'Bearer key_test_emulator',
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
    },
    body: '{"name":"Acme"}',
  });

  expect(answer.status).toBe(201);
});
