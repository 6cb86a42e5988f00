import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/runs.ts';
import { type Answering, aFakeTarget, answerJson, onLoopback } from '../testing/server.ts';
import { gatherCases } from './check.ts';

/** Runs every check against a target, given only its address and a key. */
async function verdictOn(baseUrl: string) {
  const { exit, target } = await runInProcess(baseUrl, await gatherCases(), { timeout: 1_000 });
  return { code: exit.code, preflight: target.preflight };
}

const isSelf = (url: string | undefined) => url === '/accounts/self';

describe('a contract run against a target that is not the service', () => {
  it.each<[string, Answering, number, string]>([
    ['answers 200 {} to everything', (_, response) => answerJson(response, {}), 1, 'unexpected'],
    ['answers 404 to everything', (_, response) => answerJson(response, {}, 404), 12, 'unexpected'],
    [
      'answers 401 to everything',
      (_, response) => void response.writeHead(401).end(),
      13,
      'key_refused',
    ],
    [
      'redirects everything',
      (_, response) => void response.writeHead(301, { location: '/' }).end(),
      13,
      'redirected',
    ],
    ['never answers', () => {}, 13, 'no_answer'],
    [
      'is live and answers nothing else',
      ({ url }, response) =>
        isSelf(url)
          ? answerJson(response, { account_id: 'acc_1', environment: 'live' })
          : answerJson(response, {}, 500),
      1,
      'answered',
    ],
  ])(
    'returns its exit code and preflight result when the target %s',
    async (_, answer, code, preflight) => {
      const target = await aFakeTarget(answer);
      const verdict = await verdictOn(target.baseUrl);

      expect(verdict).toEqual({ code, preflight });
      expect(target.writes).toEqual([]);
    },
  );

  it('returns 13 when the target resets every connection from some request on', async () => {
    const target = await aFakeTarget(({ url }, response, count) => {
      if (count > 20) response.socket?.resetAndDestroy();
      else answerJson(response, isSelf(url) ? { account_id: 'acc_1', environment: 'test' } : {});
    });
    const { exit, checks } = await runInProcess(target.baseUrl, await gatherCases(), {});
    const reasons = new Set(checks.slice(-300).map(({ reason }) => reason));

    expect(exit.code).toBe(13);
    expect([...reasons]).toContain('the target stopped responding');
  });

  it('returns 13 and refused when nothing listens', async () => {
    expect(await verdictOn('http://127.0.0.1:9')).toEqual({ code: 13, preflight: 'refused' });
  });

  it('returns 13 and certificate when the certificate is not trusted', async () => {
    const pem = readFileSync(new URL('../testing/self-signed.pem', import.meta.url));
    const server = createServer({ key: pem, cert: pem }, (_, response) => response.end('{}'));
    const { port, close } = await onLoopback(server);
    const verdict = await verdictOn(`https://localhost:${port}`);
    await close();

    expect(verdict).toEqual({ code: 13, preflight: 'certificate' });
  });
});
