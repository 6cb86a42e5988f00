import { afterEach, describe, expect, it, vi } from 'vitest';
import { startServer } from '../testing/server.ts';
import { createClient } from './index.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a client', () => {
  it('says that its caller aborted a request, before and during the response', async () => {
    const { url, close } = await startServer((request, response) => {
      if (request.url === '/customers') response.write('{');
    });
    const { call } = createClient({ url, key: 'key_test_a' });
    const ids = ['listCustomers', 'listVendors'] as const;
    const failures = ids.map((id) =>
      call(id, { signal: AbortSignal.timeout(500) }).catch(({ failure, message }) => ({
        failure,
        message,
      })),
    );

    expect(await Promise.all(failures)).toEqual([
      { failure: 'aborted', message: expect.stringContaining(`${url}/customers was aborted (`) },
      { failure: 'aborted', message: expect.stringContaining(`${url}/vendors was aborted (`) },
    ]);
    await close();
  });

  it('shortens the keys of live worlds in the messages of its errors', async () => {
    const answer = '{"detail":"key_live_northwind is full."}';
    const { url, close } = await startServer((_request, response) =>
      response.writeHead(503).end(answer),
    );
    const { call } = createClient({ url, key: 'key_live_northwind' });
    await expect(call('listCustomers')).rejects.toMatchObject({
      text: answer,
      message: 'listCustomers returned 503: {"detail":"key_live_nor… is full."}',
    });
    await close();

    await expect(call('listCustomers', { query: { name: 'key_live_northwind' } })).rejects.toThrow(
      `No emulator responds at ${url}/customers?name=key_live_nor… (`,
    );
  });

  it('suggests the nearest part of a request', async () => {
    const { call } = createClient({ url: 'http://127.0.0.1:9', key: 'key_test_a' });

    await expect(call('listCustomers', { querry: { limit: 1 } } as never)).rejects.toThrow(
      'A request of listCustomers has no querry. Did you mean query?',
    );
  });

  it('says that nothing responds where fetch gives no cause, as in a browser', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const { call } = createClient({ url: 'http://127.0.0.1:9', key: 'key_test_a' });

    await expect(call('listCustomers')).rejects.toMatchObject({
      failure: 'unreachable',
      message: 'No emulator responds at http://127.0.0.1:9/customers (TypeError: Failed to fetch).',
    });
  });
});
