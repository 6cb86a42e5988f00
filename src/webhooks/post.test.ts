import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startServer } from '../testing/server.ts';
import { createPoster } from './post.ts';

const poster = createPoster();
afterAll(() => poster.close());

/** Posts to a receiver whose connection behaves as given. */
async function postTo(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => behave(socket));
  });
  const { url } = await startServer(server);
  const { signal } = new AbortController();
  const outcome = await poster.post({ url, headers: {}, body: '{}', signal });
  for (const socket of sockets) socket.destroy();
  server.close();
  return outcome;
}

/** Writes a beginning once, then a text again and again. */
const flood = (text: string, beginning: string) => (socket: Socket) => {
  socket.write(beginning);
  const send = () => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', send);
  };
  send();
};

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

describe.concurrent('a webhook receiver', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs up', (socket) => socket.end(), 'hang up'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['speaks another language', (socket) => socket.write('220 mail ESMTP\r\n'), 'Parse Error'],
    [
      'switches to another protocol',
      (socket) =>
        socket.write('HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      'Responded with 101.',
    ],
    [
      'sends interim responses without end',
      flood('HTTP/1.1 103 Early Hints\r\n\r\n', ''),
      'More than 100 interim responses.',
    ],
    ['sends headers without end', flood('X-More: x\r\n', HEAD), 'overflow'],
    ['sends trailers without end', flood('X-More: x\r\n', `${CHUNKED}0\r\n`), 'overflow'],
    [
      'states two lengths',
      (socket) =>
        socket.write(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      'Content-Length',
    ],
  ])('that %s fails the attempt', async (_, behave, error) => {
    const outcome = await postTo(behave);

    expect(outcome.error).toContain(error);
  });

  it('that closes the connection within its 200 response has acknowledged', async () => {
    const outcome = await postTo((socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nhalf`));

    expect(outcome).toMatchObject({
      status_code: 200,
      error: null,
      response: { body: 'half', truncated: true },
    });
  });

  it('that responds without end is read up to 4 KiB', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const outcome = await postTo(flood(chunk, CHUNKED));

    expect(outcome).toMatchObject({ status_code: 200, response: { truncated: true } });
    expect(outcome.response?.body).toHaveLength(4_096);
  });
});

it('a webhook to localhost or its subdomains is sent without a resolver', async () => {
  const { port, close } = await startServer((_, response) => response.end());
  const deaf = createPoster(() => {});
  const { signal } = new AbortController();
  const outcomes = await Promise.all(
    ['localhost', 'LOCALHOST.', 'hooks.localhost'].map((name) =>
      deaf.post({ url: `http://${name}:${port}/`, headers: {}, body: '{}', signal }),
    ),
  );
  deaf.close();
  await close();

  expect(outcomes.map(({ status_code }) => status_code)).toEqual([200, 200, 200]);
});

it('the poster repeats a request when a reused connection is reset', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    let requests = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (!chunk.toString().endsWith('{}')) return;
      requests += 1;
      // The first connection serves one request. The second request resets it.
      if (isFirst && requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n');
    });
  });
  const { url } = await startServer(server);
  const { signal } = new AbortController();
  const posting = { url, headers: {}, body: '{}', signal };
  const first = await poster.post(posting);
  const second = await poster.post(posting);
  server.close();

  expect([first.status_code, second.status_code, connections]).toEqual([204, 204, 2]);
});
