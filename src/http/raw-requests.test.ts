import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

const client = createTestClient({ port: 0, body_limit: 100 });
let url: URL;
beforeAll(async () => {
  url = new URL(await client.emulator.listen());
});
afterAll(() => client.emulator.close());

const HEAD = 'Host: localhost\r\nAuthorization: Bearer key_test_emulator\r\n';

/** Everything that comes back until the server closes, or until enough of it is there. */
function exchange(text: string, isEnough: (answer: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (isEnough(answer)) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
  });
}

it.each(['/customers', '/_emulator/clock', '/_emulator/ui', '/livez'])(
  'answers %s asked for by its whole address',
  async (path) => {
    const request = `GET http://localhost${path} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;

    expect((await exchange(request, () => false)).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
  },
);

const POST = `POST /customers HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nExpect: 100-continue\r\n`;

it('refuses a body that is too long before it is sent', async () => {
  const answer = await exchange(`${POST}Content-Length: 101\r\n\r\n`, () => false);

  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).not.toContain('100 Continue');
});

it('asks for a body that fits, once', async () => {
  const body = '{"name":"Acme"}';
  const request = `${POST}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const answer = await exchange(request, () => false);

  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  expect(answer.match(/100 Continue/g)).toHaveLength(1);
});

it('asks for the body of a page and of an inbox too', async () => {
  const head = `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n`;
  const answer = await exchange(
    `POST /_emulator/inbox/a HTTP/1.1\r\n${head}Content-Type: application/json\r\n\r\n{}`,
    () => false,
  );

  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
});

it('says that it reads no encoded body', async () => {
  const answer = await fetch(new URL('/customers', url), {
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
    detail: expect.stringContaining('gzip'),
  });
});
