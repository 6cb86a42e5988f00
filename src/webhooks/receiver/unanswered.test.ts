import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../testing/server.ts';
import { suiteAgainst } from '../../testing/webhook-receiver.ts';

describe.concurrent('the receiver suite, for a receiver without a usable response', () => {
  const silent = (serve: (socket: Socket) => void) =>
    createServer((socket) => {
      socket.on('error', () => {});
      serve(socket);
    });

  it.each<[string, (socket: Socket) => void, string, number?]>([
    ['hangs up', (socket) => socket.destroy(), 'socket hang up'],
    ['says nothing', (socket) => socket.resume(), 'no whole answer within 200 ms', 200],
    [
      'never ends its answer',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'no whole answer within 200 ms',
      200,
    ],
    [
      'breaks off within its answer',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      'the connection broke within the answer',
    ],
    [
      'switches to another protocol',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      'expected 2xx, answered 101',
    ],
    ['speaks another language', (socket) => socket.end('SSH-2.0-x\r\n'), 'Parse Error'],
  ])('fails valid if it %s', async (_, serve, reason, timeout) => {
    const { url, close } = await startServer(silent(serve));
    const [valid] = await suiteAgainst({}, { url, timeout });
    void close();

    expect(valid?.verdict).toBe('failed');
    expect(valid?.reason).toContain(reason);
  });

  it('fails valid if nothing listens at the URL', async () => {
    const [valid] = await suiteAgainst({}, { url: 'http://127.0.0.1:9/' });

    expect(valid?.reason).toContain('ECONNREFUSED');
  });

  it.each([
    'http://169.254.169.254/hook',
    'http://0xa9fea9fe/hook',
    'http://[::ffff:169.254.169.254]/hook',
    'https://100.100.100.200/hook',
  ])('sends nothing to the forbidden address %s', async (url) => {
    const [valid] = await suiteAgainst({}, { url });

    expect(valid?.reason).toContain('Not sent:');
    expect(valid?.requests[0]?.status_code).toBeNull();
  });

  it('reads at most 64 KiB of a response that never ends', async () => {
    const { url, close } = await startServer((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const [valid] = await suiteAgainst({}, { url, skip: [] });
    await close();

    expect(valid?.requests[0]).toMatchObject({ status_code: 200, error: null });
  });
});
