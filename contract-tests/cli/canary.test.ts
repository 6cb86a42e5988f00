import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/cli.ts';
import { aFakeTarget, answerJson } from '../testing/server.ts';

/** Secrets that only the target may see. */
const CANARIES = [
  'key_test_canary',
  'whsec_canarycanarycanarycanarycanarycanarycanary1',
  'https://checkout.example/hosted/canary-link',
  'canary@person.example',
];
const [KEY = '', SECRET, LINK, MAIL] = CANARIES;

/** Puts every kind of secret into every response. */
function answerCanaries(url: string | undefined, response: ServerResponse): void {
  const isSelf = url === '/accounts/self';
  const secrets = { secret: SECRET, redirect_url: LINK, email: MAIL, [SECRET as string]: MAIL };
  const item = { id: 'cust_1', name: `${MAIL} ${KEY} ${LINK}`, ...secrets };
  answerJson(response, {
    ...(isSelf && { account_id: 'acc_1', environment: 'test' }),
    ...item,
    items: [item],
    accounts: [item],
    subscriptions: [{ id: 'sub_1', required_actions: [{ type: 'payment', redirect_url: LINK }] }],
  });
}

describe('a contract run', () => {
  it('writes no secret to its reports, records, list of created objects or output', {
    timeout: 120_000,
  }, async () => {
    const target = await aFakeTarget((request, response) => answerCanaries(request.url, response));
    const state = mkdtempSync(join(tmpdir(), 'contract-'));
    const kinds = ['junit', 'json', 'html', 'ctrf'];
    const reports = kinds.map((kind) => `${kind}=${join(state, `report.${kind}`)}`).join(',');
    const flags = ['--base-url', target.baseUrl, '--key-env', 'A_KEY', '--state', state];
    const result = await runCli([...flags, '--report', reports, '--timeout', '2s'], {
      A_KEY: KEY,
    });
    const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.'),
    );
    const texts: (readonly [string, string])[] = files.map((name) => [
      name,
      readFileSync(join(state, name), 'utf8'),
    ]);
    texts.push(['output', result.output]);
    const leaks = CANARIES.flatMap((canary) =>
      texts.filter(([, text]) => text.includes(canary)).map(([name]) => `${name} holds ${canary}`),
    );

    expect(files.length).toBeGreaterThanOrEqual(kinds.length + 2);
    expect(leaks).toEqual([]);
  });
});
