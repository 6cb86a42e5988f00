import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, runCli } from './testing/cli.ts';
import { type Answering, aFakeTarget, answerJson } from './testing/server.ts';

/** Runs the whole suite against a target, with nothing but an address and a key. */
async function runAgainst(baseUrl: string): Promise<CliResult & { readonly preflight: string }> {
  const state = mkdtempSync(join(tmpdir(), 'contract-'));
  const flags = ['--base-url', baseUrl, '--key-env', 'A_KEY', '--timeout', '1s', '--state', state];
  const result = await runCli(flags, { A_KEY: 'key_secret_canary' });
  const [run = ''] = readdirSync(state);
  const { target } = JSON.parse(readFileSync(join(state, run, 'run.json'), 'utf8'));
  return { ...result, preflight: target.preflight };
}

async function verdictOn(answer: Answering) {
  const target = await aFakeTarget(answer);
  const { code, preflight } = await runAgainst(target.baseUrl);
  await target.close();
  return { code, preflight, writes: target.writes };
}

const isSelf = (url: string | undefined) => url === '/accounts/self';

describe.concurrent('a target that is no service', { timeout: 120_000 }, () => {
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
  ])('is told apart when it %s', async (_, answer, code, preflight) => {
    expect(await verdictOn(answer)).toEqual({ code, preflight, writes: [] });
  });

  it('is told apart when nothing listens', async () => {
    const target = await aFakeTarget(() => {});
    await target.close();
    const { code, preflight } = await runAgainst(target.baseUrl);

    expect({ code, preflight }).toEqual({ code: 13, preflight: 'refused' });
  });

  it('is told apart when its certificate does not hold', async () => {
    const pem = readFileSync(new URL('testing/self-signed.pem', import.meta.url));
    const server = createServer({ key: pem, cert: pem }, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, preflight } = await runAgainst(`https://localhost:${port}`);
    server.close();

    expect({ code, preflight }).toEqual({ code: 13, preflight: 'certificate' });
  });
});

describe.concurrent('a command line', { timeout: 60_000 }, () => {
  it.each([
    ['an unknown flag', ['--bas-url', 'x'], 2],
    ['a class that does not exist', ['--effects', 'E9'], 2],
    ['a variable without a key', ['--base-url', 'http://127.0.0.1:1', '--key-env', 'NO_SUCH'], 3],
    ['an address that is none', ['--base-url', 'here', '--key-env', 'A_KEY'], 3],
    ['a baseline that is not there', ['--baseline', '/no/such.json', '--only', 'ACC-01'], 3],
    ['a selection of nothing', ['--only', 'NO-SUCH'], 12],
  ])('with %s ends with its code', async (_, args, code) => {
    const state = mkdtempSync(join(tmpdir(), 'contract-'));
    const result = await runCli([...args, '--state', state], { A_KEY: 'key_x' });

    expect(result.code).toBe(code);
  });
});
