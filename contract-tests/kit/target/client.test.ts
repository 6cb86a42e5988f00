import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { SentRequest } from './client.ts';
import { curlOfRequest } from './curl.ts';

const keyPlace = { header: 'X-Acme-Api-Key', prefix: '' };
const target = { keyPlace, serviceName: 'Acme', key: 'key_x' };
const curlOf = (sent: SentRequest) => curlOfRequest(sent, target);
const request: SentRequest = {
  method: 'PATCH',
  path: "/customers/cust_1%20'a'",
  query: { name: 'a&b c', page: undefined },
  body: { name: "It's $HOME `x`" },
  sentWith: { actingFor: 'acc_1' },
};

/** The arguments that a shell passes to curl. */
function wordsOf(line: string): readonly string[] {
  const env = { PATH: process.env['PATH'], BASE_URL: 'http://h', API_KEY: 'key_x' };
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${line}`;
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).trimEnd().split('\n');
}

describe('curlOfRequest', () => {
  it('returns a shell command that sends the same request as the suite', () => {
    expect(wordsOf(curlOf(request))).toEqual([
      '-i',
      '-X',
      'PATCH',
      "http://h/customers/cust_1%20'a'?name=a%26b+c",
      '-H',
      'X-Acme-Api-Key: key_x',
      '-H',
      'X-Acme-Account: acc_1',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      '{"name":"It\'s $HOME `x`"}',
    ]);
  });

  it.each([
    ['no key', null, []],
    ['another key', 'key_y', ['X-Acme-Api-Key: key_x-wrong']],
    ['a key with the same beginning', 'key_xy', ['X-Acme-Api-Key: key_x-wrong']],
    ['the key of a world of its own', 'key_x-world-1', ['X-Acme-Api-Key: key_x-world-1']],
  ] as const)('shows which key was sent: %s', (_, key, headers) => {
    const sent = { ...request, body: undefined, sentWith: { key } };

    expect(wordsOf(curlOf(sent)).filter((word) => word.includes('Key'))).toEqual(headers);
  });
});
