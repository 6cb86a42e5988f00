import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { RECEIVER_SECRET, startReceiver, type TestReceiver } from '../testing/webhook-receiver.ts';

const { control, emulator } = createTestClient();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startReceiver({ limit: 100 * 1024 });
});
afterAll(() => receiver.close());

const check = (body: object, status = 200) =>
  control('checkReceiver', { body: { secret: RECEIVER_SECRET, ...body } }, status);

describe('checkReceiver', () => {
  it('returns a verdict per check, with its requests and responses', async () => {
    const { url, effectsUrl } = receiver;
    const report = await check({ url, effects_url: effectsUrl, skip: ['slow_reading'] });

    expect(report).toMatchObject({
      url,
      passed: false,
      passed_count: 13,
      failed_count: 1,
      skipped_count: 1,
    });
    expect(report.items[0]).toMatchObject({
      id: 'valid',
      expectation: 'must_accept',
      verdict: 'passed',
      reason: null,
      remark: null,
      requests: [
        {
          expected: 'accept',
          signature: expect.stringMatching(/^t=\d+,v0=[0-9a-f]{64}$/),
          body: expect.stringContaining('"type":"subscription.activated"'),
          status_code: 204,
          answer: '',
          error: null,
        },
      ],
    });
    expect(report.items.find(({ id }: { id: string }) => id === 'large_body')).toMatchObject({
      verdict: 'failed',
      reason: 'a body of 262144 bytes: expected 2xx, answered 413',
    });
  });

  it('uses large_body_bytes, and now as the time of the signature', async () => {
    const { url } = receiver;
    const only = { skip: ['slow_reading'] };
    const small = await check({ url, large_body_bytes: 2048, ...only });
    const ago = await check({ url, now: '2026-01-15T12:00:00Z', ...only });

    expect(small.passed).toBe(true);
    expect(ago.items[0]).toMatchObject({ verdict: 'failed' });
    expect(ago.items[0].requests[0].signature).toMatch(/^t=1768478400,/);
  });

  it('does not change the world', async () => {
    const before = JSON.stringify(emulator.worlds.find('key_test_emulator')?.image().tables);
    await check({ url: receiver.url, skip: ['slow_reading'] });

    expect(JSON.stringify(emulator.worlds.find('key_test_emulator')?.image().tables)).toBe(before);
  });

  it.each([
    [{ url: 'http://hooks.example.com/' }, 'url'],
    [{ url: 'https://user:secret@hooks.example.com/' }, 'url'],
    [{ url: 'http://127.0.0.1/', effects_url: 'ftp://127.0.0.1/' }, 'effects_url'],
    [{ url: 'http://127.0.0.1/', secret: '' }, 'secret'],
    [{ url: 'http://127.0.0.1/', skip: ['everything'] }, 'skip[0]'],
    [{ url: 'http://127.0.0.1/', timeout_seconds: 61 }, 'timeout_seconds'],
    [{}, 'url'],
  ])('rejects %o with 422', async (body, field) => {
    const refusal = await check(body, 422);

    expect(Object.keys(refusal.errors)).toEqual([field]);
  });
});
