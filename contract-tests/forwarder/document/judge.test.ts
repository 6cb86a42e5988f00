import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTrafficJudge } from './judge.ts';

describe('createTrafficJudge', () => {
  it('does not judge a compressed body of 80 MB', async () => {
    const judge = await createTrafficJudge(false);
    const responseBody = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
    const { findings, unjudged } = await judge.judge({
      method: 'GET',
      target: '/customers',
      requestHeaders: {},
      requestBody: Buffer.alloc(0),
      status: 200,
      responseHeaders: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      responseBody,
    });

    expect(findings).toEqual([]);
    expect(unjudged).toBe('the body of an answer is too long, or packed in an unknown way');
  }, 30_000);
});
