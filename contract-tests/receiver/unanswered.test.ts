import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { onLoopback } from '../testing/server.ts';
import { checksOf } from '../testing/webhook-receiver.ts';

describe.concurrent('the check of a receiver without a usable response', () => {
  const listening = async (serve: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      serve(socket);
    });
    await once(server.unref().listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it.each<[string, (socket: Socket) => void, string, number?]>([
    ['hangs up', (socket) => socket.destroy(), 'socket hang up'],
    ['says nothing', (socket) => socket.resume(), 'no complete response within 200 ms', 200],
    [
      'never ends its response',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'no complete response within 200 ms',
      200,
    ],
    [
      'breaks off within its response',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'the connection broke within the response',
    ],
    [
      'switches to another protocol',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      'expected 2xx, got 101',
    ],
    ['speaks another language', (socket) => socket.end('SSH-2.0-x\r\n'), 'Parse Error'],
  ])('fails valid if it %s', async (_, serve, reason, timeout) => {
    const [valid] = await checksOf({}, { url: await listening(serve), timeout });

    expect(valid?.verdict).toBe('failed');
    expect(valid?.reason).toContain(reason);
  });

  it('fails valid if nothing listens at the URL', async () => {
    const [valid] = await checksOf({}, { url: 'http://127.0.0.1:9/' });

    expect(valid?.reason).toContain('ECONNREFUSED');
  });

  it('reads at most 64 KiB of a response that never ends', async () => {
    const { baseUrl: url, close } = await onLoopback((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const [valid] = await checksOf({}, { url });
    await close();

    expect(valid?.requests[0]).toMatchObject({ status_code: 200, error: null });
  });
});
