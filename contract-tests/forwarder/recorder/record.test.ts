import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmulator } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { standBetween } from '../../testing/cli.ts';
import { closedAfterTest, onLoopback } from '../../testing/server.ts';

const JSON_HEADERS = { 'Content-Type': 'application/json' };

const aFile = (): string => join(mkdtempSync(join(tmpdir(), 'proxy-')), 'session.yaml');

describe('billing-emulator proxy --record', () => {
  it('writes a fixture that contains no key and runs on a new world', async () => {
    const file = aFile();
    const settings = { port: 0, log_level: 'silent', fixture: '' } as const;
    const emulator = closedAfterTest(createEmulator({ settings }));
    const headers = { ...JSON_HEADERS, 'X-Service-Api-Key': 'key_test_emulator' };
    const recorded = await standBetween(
      'proxy',
      await emulator.listen(),
      async (url) => {
        const body = JSON.stringify({ name: 'Acme key_test_emulator', external_id: 'acme' });
        const made = await fetch(`${url}/customers`, { method: 'POST', headers, body });
        const { id } = (await made.json()) as { id: string };
        await (await fetch(`${url}/customers/${id}`, { headers })).text();
      },
      ['--record', file, '--expect'],
    );

    const text = readFileSync(file, 'utf8');
    expect(recorded.findings).toEqual([{ kind: 'recorded', file, steps: 2, remarks: [] }]);
    expect(text).toContain('customerId: $customer_1.id');
    expect(text).not.toMatch(/key_test_e|cust_/);
    const binary = fileURLToPath(new URL('../../../bin/billing-emulator.js', import.meta.url));
    expect(execFileSync(process.execPath, [binary, 'run', file], { encoding: 'utf8' })).toContain(
      'session.yaml',
    );
  });

  it('writes no key, password or customer name, in any field or encoding', async () => {
    const file = aFile();
    const [password, name] = ['canary-pass/word', 'Ada "Canary" Möller'];
    const basic = Buffer.from(`canary-user:${password}`).toString('base64');
    const server = await onLoopback(({ url }, response) => {
      const body = { detail: `No ${decodeURIComponent(url ?? '')}`, by: `Basic ${basic}` };
      const type = { 'Content-Type': 'application/json' };
      response.writeHead(url === '/customers' ? 201 : 404, type).end(JSON.stringify(body));
    });
    const { baseUrl: upstream } = closedAfterTest(server);
    const headers = { ...JSON_HEADERS, Authorization: `Basic ${basic}`, Cookie: 'a=canary-cookie' };
    const { out, errors } = await standBetween(
      'proxy',
      upstream,
      async (url) => {
        const ask = (path: string, init: RequestInit = {}) =>
          fetch(`${url}${path}`, { headers, ...init });
        const email = 'canary@mail.example';
        const note = `${password} ${basic} canary-cookie ${encodeURIComponent(name)}`;
        const metadata = { note, hook: 'https://me:canary-in-url@a.example/?token=canary-query' };
        const body = JSON.stringify({ name, email, metadata });
        await ask('/customers', { method: 'POST', body });
        await ask(`/customers?name=${encodeURIComponent(name)}&email=${email}`);
        await ask(`/customers/${encodeURIComponent(password)}`);
      },
      ['--record', file, '--expect', '--redact-customers'],
    );
    const texts = [readFileSync(file, 'utf8'), out, errors];

    expect(texts[0]).toContain('name: Customer 1');
    for (const text of texts) {
      expect(text).not.toMatch(/canary/i);
      expect(text).not.toContain(basic);
    }
  });
});
