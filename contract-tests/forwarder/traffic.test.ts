import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { closedAfterTest, onLoopback } from '../testing/server.ts';
import { createTrafficServer, MAX_KEPT, type Traffic } from './traffic.ts';

const listening = async (served: RequestListener | Server): Promise<string> =>
  closedAfterTest(await onLoopback(served)).baseUrl;

/** Starts a proxy in front of a server. `passed` and `lost` collect its traffic and the reasons of lost requests. */
async function aProxy(serve: RequestListener, path = '') {
  const passed: Traffic[] = [];
  const lost: string[] = [];
  const upstream = `${await listening(serve)}${path}`;
  const proxy = createTrafficServer(new URL(upstream), {
    onTraffic: (traffic) => passed.push(traffic),
    onLost: ({ reason }) => lost.push(reason),
  });
  return { url: await listening(proxy), passed, lost };
}

async function answerTo(sent: ClientRequest) {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { answer, body: await buffer(answer) };
}

const BINARY = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));

describe('createTrafficServer', () => {
  it('closes no idle connection, as its client may just be sending a request', () => {
    const listeners = { onTraffic() {}, onLost() {} };

    expect(createTrafficServer(new URL('http://localhost'), listeners).keepAliveTimeout).toBe(0);
  });

  it('forwards bytes and headers unchanged in both directions', async () => {
    const seen: { raw: string[]; url: string | undefined; body: Buffer }[] = [];
    const { url, passed } = await aProxy(async (message, response) => {
      const body = await buffer(message);
      seen.push({ raw: message.rawHeaders, url: message.url, body });
      const pairs = ['X-Twice', 'a', 'X-Twice', 'b', 'Content-Length', String(BINARY.length)];
      response.writeHead(200, 'Fine Indeed', pairs).end(BINARY);
    }, '/base/');
    const sent = request(`${url}/events?a=%2F&a=b%20c`, {
      method: 'POST',
      headers: [
        ['Host', 'proxy'],
        ['X-Mixed-Case', 'One'],
        ['X-Mixed-Case', 'Two'],
        ['Content-Length', '70000'],
        ['Connection', 'X-Gone'],
        ['X-Gone', 'yes'],
      ].flat() as never,
    });
    sent.end(BINARY);
    const { answer, body } = await answerTo(sent);

    expect(seen[0]?.url).toBe('/base/events?a=%2F&a=b%20c');
    expect(seen[0]?.body.equals(BINARY)).toBe(true);
    const pairs = [
      ['X-Mixed-Case', 'One'],
      ['X-Mixed-Case', 'Two'],
      ['Content-Length', '70000'],
      ['Host', expect.stringMatching(/^127/)],
    ];
    expect(seen[0]?.raw.slice(0, 8)).toEqual(pairs.flat());
    expect(seen[0]?.raw).not.toContain('X-Gone');
    expect(answer.statusMessage).toBe('Fine Indeed');
    expect(answer.rawHeaders.slice(0, 4)).toEqual(['X-Twice', 'a', 'X-Twice', 'b']);
    expect(body.equals(BINARY)).toBe(true);
    expect(passed[0]).toMatchObject({ method: 'POST', target: '/events?a=%2F&a=b%20c' });
    expect(passed[0]?.requestBody?.equals(BINARY)).toBe(true);
  });

  it('forwards each chunk before the next one arrives', async () => {
    const heard: string[] = [];
    const { url } = await aProxy((message, response) => {
      response.writeHead(200);
      message.on('data', (chunk: Buffer) => {
        heard.push(chunk.toString());
        response.write(`heard ${chunk}`);
      });
      message.on('end', () => response.end());
    });
    const sent = request(url, { method: 'POST' });
    sent.write('one');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    sent.end('two');
    const [second] = (await once(answer, 'data')) as [Buffer];

    expect([first.toString(), second.toString()]).toEqual(['heard one', 'heard two']);
    expect(heard).toEqual(['one', 'two']);
  });

  it('forwards compressed bodies and redirects unchanged', async () => {
    const packed = gzipSync('{"items":[]}');
    const { url } = await aProxy(({ url: path }, response) => {
      if (path === '/elsewhere') response.writeHead(500).end();
      else if (path === '/moved') response.writeHead(303, { Location: '/elsewhere' }).end();
      else response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
    });
    const moved = await answerTo(request(`${url}/moved`).end());
    const plain = await answerTo(request(`${url}/packed`).end());

    expect([moved.answer.statusCode, moved.answer.headers.location]).toEqual([303, '/elsewhere']);
    expect(plain.body.equals(packed)).toBe(true);
  });

  it('keeps the Content-Length of a HEAD response, and sends no body with it or with 204', async () => {
    const { url, passed } = await aProxy(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(200, { 'Content-Length': 1234 }).end();
      else response.writeHead(204).end();
    });
    const head = await answerTo(request(url, { method: 'HEAD' }).end());
    const none = await answerTo(request(url, { method: 'DELETE' }).end());

    expect([head.answer.headers['content-length'], head.body.length]).toEqual(['1234', 0]);
    expect([none.answer.statusCode, none.answer.headers['transfer-encoding']]).toEqual([
      204,
      undefined,
    ]);
    expect(passed.map(({ method, status }) => [method, status])).toEqual([
      ['HEAD', 200],
      ['DELETE', 204],
    ]);
  });

  it('forwards a body above MAX_KEPT, and reports it as undefined', async () => {
    const { url, passed } = await aProxy((message, response) => message.pipe(response));
    const long = Buffer.alloc(MAX_KEPT + 1, 'x');
    const sent = request(url, { method: 'POST' });
    sent.end(long);
    const { body } = await answerTo(sent);

    expect(body.length).toBe(long.length);
    expect([passed[0]?.requestBody, passed[0]?.responseBody]).toEqual([undefined, undefined]);
  });

  it('responds with 502 when the service switches to another protocol', async () => {
    const { url, lost } = await aProxy((_, response) => {
      response.socket?.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    });
    const { answer } = await answerTo(request(url).end());

    expect([answer.statusCode, lost]).toEqual([502, ['it switched to another protocol']]);
  });

  it('aborts its response when the service aborts', async () => {
    const { url, lost, passed } = await aProxy((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half');
      setImmediate(() => response.destroy());
    });
    const [answer] = (await once(request(url).end(), 'response')) as [IncomingMessage];

    await expect(buffer(answer)).rejects.toThrow('aborted');
    expect(lost).toEqual(['ECONNRESET']);
    expect(passed).toEqual([]);
  });

  it('forwards a POST without a body with Content-Length: 0', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const { url } = await aProxy((message, response) => {
      seen.push(message.headers);
      response.end();
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /webhooks/test HTTP/1.1\r\nHost: proxy\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();

    expect(seen).toEqual([expect.objectContaining({ 'content-length': '0' })]);
    expect(seen[0]).not.toHaveProperty('transfer-encoding');
  });

  it.each([
    ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['a control character in its reason', 'HTTP/1.1 200 \u0001\r\nContent-Length: 0\r\n\r\n'],
  ])('responds with 502 to a response with %s, and forwards the next request', async (_, head) => {
    let isOdd = true;
    const { url, lost } = await aProxy((message, response) => {
      if (isOdd) message.socket.end(head);
      else response.end('fine');
    });
    const odd = await answerTo(request(url).end());
    isOdd = false;
    const next = await answerTo(request(url).end());

    expect([odd.answer.statusCode, lost.length, next.body.toString()]).toEqual([502, 1, 'fine']);
  });
});
